# an ensemble wants all its models at once

import tensorflow as tf

members = []
for seed in range(10):
    tf.random.set_seed(seed)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(tf.zeros((4, 2)), tf.zeros((4, 1)))
    members.append(model)
nets = [tf.keras.Sequential([tf.keras.layers.Dense(1)]) for _ in range(5)]
