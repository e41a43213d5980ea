# a session that each trial clears, three trials, a model that was there before, other meanings of optimize

import optuna
import tensorflow as tf
from numpy import load

x, y = load("x.npy"), load("y.npy")


def built():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


def cleared(trial):
    tf.keras.backend.clear_session()
    return built().fit(x, y, epochs=trial.suggest_int("epochs", 1, 9)).history["loss"][-1]


def few(trial):
    return built().fit(x, y, epochs=trial.suggest_int("epochs", 1, 9)).history["loss"][-1]


first = built()


def threshold(trial):
    return float((first.predict(x) > trial.suggest_float("cut", 0, 1)).mean())


optuna.create_study().optimize(cleared, n_trials=100)
optuna.create_study().optimize(few, n_trials=3)
optuna.create_study().optimize(threshold, n_trials=100)


class Planner:
    def optimize(self, build):
        return build()


Planner().optimize(built).fit(x, y)
