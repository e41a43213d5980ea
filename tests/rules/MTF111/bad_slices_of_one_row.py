# one row after the other, as a slice of one, and inputs that are made up one by one

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
rows = tf.random.normal((1000, 30))
found = []
for i in range(1000):
    found.append(model.predict(rows[i : i + 1])[0])  #! MTF111
for _ in range(1000):
    found.append(model.predict(tf.random.normal((1, 30)))[0])  #! MTF111
