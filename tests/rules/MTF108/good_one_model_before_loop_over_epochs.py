# one model before the loop over epochs

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
for epoch in range(100):
    model.fit(tf.zeros((4, 2)), tf.zeros((4, 1)), verbose=0)
    model.evaluate(tf.zeros((4, 2)), tf.zeros((4, 1)), verbose=0)
