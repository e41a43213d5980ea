# optuna runs the function once for each trial; so does hyperopt, here through a lambda and a factory

import optuna
import tensorflow as tf
from hyperopt import fmin, hp, tpe
from numpy import load

x, y = load("x.npy"), load("y.npy")


def objective(trial):
    model = tf.keras.Sequential()  #! MTF108 warning
    for _ in range(trial.suggest_int("depth", 1, 4)):
        model.add(tf.keras.layers.Dense(32, "relu"))
    model.add(tf.keras.layers.Dense(1))
    model.compile("adam", "mse")
    return model.fit(x, y, verbose=0).history["loss"][-1]


study = optuna.create_study()
study.optimize(objective, n_trials=200)


def network(width):
    return tf.keras.Sequential([tf.keras.layers.Dense(width), tf.keras.layers.Dense(1)])  #! MTF108 warning


def score(space, rows, targets):
    model = network(space["width"])
    model.compile("adam", "mse")
    model.fit(rows, targets, verbose=0)
    return model.evaluate(rows, targets)


fmin(lambda space: score(space, x, y), {"width": hp.randint("width", 64)}, tpe.suggest, max_evals=80)
