# one model for each setting, in a comprehension

import tensorflow as tf

def score(units, x, y):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])  #! MTF108 warning
    model.compile("adam", "mse")
    model.fit(x, y)
    return model.evaluate(x, y)

x, y = tf.zeros((64, 4)), tf.zeros((64, 1))
print(min(score(units, x, y) for units in range(8, 64, 8)))
