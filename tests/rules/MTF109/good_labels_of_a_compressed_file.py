# labels, and a few bytes of each file

import gzip

import numpy as np
import tensorflow as tf


def labels_of(path):
    with gzip.open(path, "rb") as file:
        labels = np.frombuffer(file.read(), dtype=np.uint8, offset=8)
    return tf.data.Dataset.from_tensor_slices(labels)


def sizes_of(path):
    with open(path, "rb") as file:
        header = np.frombuffer(file.read(16), dtype=np.int32)
    return tf.data.Dataset.from_tensor_slices(header)
