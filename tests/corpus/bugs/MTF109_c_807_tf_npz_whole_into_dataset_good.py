import numpy as np
import tensorflow as tf


def rows(path):
    data = np.load(path, mmap_mode="r")
    for row in data:
        yield row


spec = tf.TensorSpec((32,), tf.float32)
train = tf.data.Dataset.from_generator(lambda: rows("big.npy"), output_signature=spec)
train = train.shuffle(100).batch(64)
