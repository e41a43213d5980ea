"""Random architecture search with a trainer class; RAM until the kernel kills it."""
import random

import tensorflow as tf


class Search:
    def __init__(self, data, budget=200):
        self.train, self.val = data
        self.budget, self.results = budget, []

    def build(self, spec):
        x = inp = tf.keras.layers.Input((28, 28, 1))
        for filters in spec:
            x = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        out = tf.keras.layers.Dense(10)(tf.keras.layers.GlobalMaxPool2D()(x))
        return tf.keras.models.Model(inp, out)

    def evaluate(self, spec):
        model = self.build(spec)  #! MTF108
        model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["acc"])
        model.fit(self.train, epochs=2, verbose=0)
        return model.evaluate(self.val, verbose=0)[1]

    def run(self):
        for _ in range(self.budget):
            spec = [random.choice([16, 32, 64]) for _ in range(random.randint(1, 5))]
            self.results.append((self.evaluate(spec), spec))
        return max(self.results)
