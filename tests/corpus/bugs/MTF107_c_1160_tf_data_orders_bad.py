"""Pipelines: shuffle after batch, no parallel map, no prefetch; whole images shuffled; cache after augmentation."""
import tensorflow as tf


def decode(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, (224, 224)) / 255.0, label


def augment(img, label):
    return tf.image.random_flip_left_right(img), label


def make(paths, labels):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.map(decode)  #! MTF107
    ds = ds.batch(32)
    ds = ds.shuffle(1000)  #! MTF107
    return ds.prefetch(tf.data.AUTOTUNE)


def make_cached(paths, labels):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE).map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.cache().batch(32).prefetch(2)  #! MTF107


class Data:
    def __init__(self, files):
        self.train = tf.data.TFRecordDataset(files).map(self.parse, num_parallel_calls=8).shuffle(50000)  #! MTF107
        self.train = self.train.batch(64).prefetch(1)

    def parse(self, rec):
        f = tf.io.parse_single_example(rec, {"image": tf.io.FixedLenFeature([], tf.string)})
        return tf.image.resize(tf.io.decode_jpeg(f["image"], channels=3), (256, 256))


def fit(model, paths, labels):
    model.fit(make(paths, labels), epochs=10)
    model.fit(make_cached(paths, labels), epochs=10)
