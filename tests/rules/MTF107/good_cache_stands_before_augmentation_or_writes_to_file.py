# the cache stands before the augmentation, or writes to a file

import tensorflow as tf


def decode(path):
    return tf.io.decode_jpeg(tf.io.read_file(path))


def flip(image):
    return tf.image.random_flip_left_right(image)


files = tf.data.Dataset.list_files("*.jpg")
ds = files.map(decode, num_parallel_calls=8).cache("/tmp/decoded")
ds = ds.map(flip, num_parallel_calls=8).repeat().batch(16).prefetch(1)
