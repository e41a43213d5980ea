import numpy as np
import tensorflow as tf


def load_all(files):
    return np.stack([np.load(f) for f in files])


class Data:
    def __init__(self, files):
        images = load_all(files)
        self.ds = tf.data.Dataset.from_tensor_slices(images).shuffle(512).batch(32).prefetch(1)  #! MTF109
        self.emb = tf.constant(np.random.randn(400000, 300))  #? MTF109
