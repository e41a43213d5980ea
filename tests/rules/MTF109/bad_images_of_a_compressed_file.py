# the bytes of a compressed file become an array of images, read at once

import gzip

import numpy as np
import tensorflow as tf


def images_of(path):
    with gzip.open(path, "rb") as file:
        pixels = np.frombuffer(file.read(), dtype=np.uint8, offset=16).reshape(-1, 28, 28, 1)
    pixels = (pixels - 127.5) / 127.5
    return tf.data.Dataset.from_tensor_slices(pixels).shuffle(1000).batch(64)  #! MTF109 warning
