# a pipeline by reassignment: files decoded one by one, no prefetch

import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (224, 224)), tf.strings.length(path)


def make_dataset(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.shuffle(5000)
    ds = ds.map(load)  #! MTF107 warning
    ds = ds.batch(batch_size)  #! MTF107 warning
    return ds


def main():
    train = make_dataset("data/*.jpg", 32)
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(train, epochs=10)


main()
