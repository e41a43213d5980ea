# an own class with these method names

import tensorflow as tf
from tensorflow import keras


class Batcher:
    def fit_generator(self, generator, steps):
        return [next(generator) for _ in range(steps)]


batcher = Batcher()
batcher.fit_generator(iter(range(10)), 2)
keras.Sequential([keras.layers.Dense(2)])
