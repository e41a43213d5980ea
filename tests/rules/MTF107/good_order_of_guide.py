# the order of the guide

import tensorflow as tf


def load(path):
    return tf.image.decode_jpeg(tf.io.read_file(path))


ds = (
    tf.data.Dataset.list_files("*.jpg")
    .shuffle(50_000)
    .map(load, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(32)
    .prefetch(tf.data.AUTOTUNE)
)
model = tf.keras.applications.VGG16(weights=None)
model.compile("sgd", "mse")
model.fit(ds)
