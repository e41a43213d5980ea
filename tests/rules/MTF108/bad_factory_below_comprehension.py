# a comprehension trains what a factory further down builds, and keeps the scores

import tensorflow as tf

grid = [(8, 1), (16, 1), (16, 2), (32, 2), (64, 3)]


def search(x, y):
    return max(build(*g).fit(x, y).history["loss"][-1] for g in grid)  #! MTF108 warning


def table(x, y):
    return {g: build(*g).evaluate(x, y) for g in grid}  #! MTF108 warning


def build(units, depth):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units) for _ in range(depth)])
    model.compile("adam", "mse")
    return model


print(search(tf.zeros((8, 4)), tf.zeros((8, 4))), table(tf.zeros((8, 4)), tf.zeros((8, 4))))
