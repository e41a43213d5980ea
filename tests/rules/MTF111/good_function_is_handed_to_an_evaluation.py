# the function that predicts is handed to an evaluation, which gives it the whole set at once

import tensorflow as tf
from tables import load_table, score_table

net = tf.keras.Sequential([tf.keras.layers.Dense(32, "relu"), tf.keras.layers.Dense(6)])
net.compile("sgd", "mse")


def scores(rows):
    return net.predict(rows, verbose=0)


for part in range(10):
    x, y = load_table(part)
    net.fit(x, y, verbose=0)
    print(score_table(scores, x, y))
