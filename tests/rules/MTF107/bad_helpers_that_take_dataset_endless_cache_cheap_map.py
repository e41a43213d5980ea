# helpers that take the dataset; an endless cache; a cheap map

import tensorflow as tf
import tensorflow_datasets as tfds


def scale(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def prepare(ds):
    return ds.map(scale).repeat()  #! MTF107 advice


def keep(ds):
    return ds.cache()  #! MTF107 warning


train = keep(prepare(tfds.load("mnist", split="train", as_supervised=True))).batch(64).prefetch(2)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("adam", "mse")
model.fit(train, steps_per_epoch=100)
