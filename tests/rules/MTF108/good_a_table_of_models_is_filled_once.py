# a model is built when the table of models lacks it, and stays there for later passes

import tensorflow as tf


def build(size):
    model = tf.keras.Sequential([tf.keras.Input((size,)), tf.keras.layers.Dense(4)])
    model.compile("adam", "mse")
    return model


class Imputer:
    def __init__(self, size):
        self.size, self._models = size, {}

    def _model_of(self, cell):
        if cell not in self._models:
            model = build(self.size)
            model.load_weights(f"cell_{cell}.weights.h5")
            self._models[cell] = model
        return self._models[cell]

    def impute(self, cells, x):
        for cell in range(cells):
            print(self._model_of(cell).predict(x).mean())


def score(names, x):
    known = {}
    for name in names:
        if known.get(name) is None:
            net = build(8)
            net.load_weights(name)
            known[name] = net
        print(known[name].predict(x).mean())
