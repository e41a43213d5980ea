# a condition on another table does not keep the model

import tensorflow as tf


def tune(sizes, x, y):
    scores = {}
    for size in sizes:
        if size not in scores:
            model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(size)])  #! MTF108 warning
            model.compile("adam", "mse")
            model.fit(x, y)
            scores[size] = model.evaluate(x, y)
    print(scores)
