# only the CPU is used

import tensorflow as tf

# no gpu needed
with tf.device("/CPU:0"):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(tf.zeros((4, 2)), tf.zeros((4, 1)))
