# a class with the values of a table, and a made-up array of 400 MB

import numpy as np
import pandas as pd
import tensorflow as tf


class Data:
    def __init__(self, path):
        self.frame = pd.read_csv(path)

    def dataset(self):
        return tf.data.Dataset.from_tensor_slices(self.frame.values)  #! MTF109

    def noise(self, n=50000):
        x = np.random.rand(n, 1000).astype(np.float32)
        return tf.data.Dataset.from_tensors(x)  #! MTF109
