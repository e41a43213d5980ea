"""Models made in loops for a reason, or cleared; policies that come back."""
import keras
import keras_tuner as kt
import numpy as np
from sklearn.model_selection import StratifiedKFold


class Hyper(kt.HyperModel):
    def build(self, hp):
        m = keras.Sequential([keras.layers.Dense(hp.Int("u", 8, 64)), keras.layers.Dense(1)])
        m.compile("adam", "mse")
        return m


def tune(x, y):
    tuner = kt.RandomSearch(Hyper(), objective="loss", max_trials=20)
    tuner.search(x, y, epochs=2)
    return tuner.get_best_models(1)[0]


def folds(x, y):
    scores = []
    for tr, va in StratifiedKFold(10).split(x, y):
        keras.backend.clear_session()
        m = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
        m.compile("adam", "mse")
        m.fit(x[tr], y[tr], verbose=0)
        scores.append(m.evaluate(x[va], y[va], verbose=0))
    return np.mean(scores)


class Ensemble:
    def __init__(self, n):
        self.members = []
        for _ in range(n):
            self.members.append(keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)]))
        for m in self.members:
            m.compile("adam", "mse")

    def fit(self, x, y):
        for m in self.members:
            m.fit(x, y, verbose=0)

    def predict(self, x):
        return np.mean([m.predict(x, verbose=0) for m in self.members], axis=0)


def blocks(x, widths):
    for w in widths:
        x = keras.Sequential([keras.layers.Dense(w), keras.layers.ReLU()])(x)
    return x


def two_phases(base, ds):
    model = keras.Sequential([base, keras.layers.Dense(2)])
    for phase, lr in (("head", 1e-3), ("all", 1e-5)):
        base.trainable = phase == "all"
        model.compile(keras.optimizers.Adam(lr), "mse")
        model.fit(ds, epochs=2)
    return model
