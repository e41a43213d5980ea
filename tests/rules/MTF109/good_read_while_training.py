# read while training

import numpy as np
import tensorflow as tf

data = np.load("features.npy", mmap_mode="r")


def rows():
    for row in data:
        yield row


ds = tf.data.Dataset.from_generator(rows, output_signature=tf.TensorSpec((32,), tf.float32))
records = tf.data.Dataset.from_tensor_slices(["a.tfrecord", "b.tfrecord"]).flat_map(tf.data.TFRecordDataset)
