# compiled in the scope, built before it

import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])  #! MTF113 error
with strategy.scope():
    model.compile("adam", "mse")
model.fit(tf.zeros((64, 4)), tf.zeros((64, 1)), batch_size=16 * strategy.num_replicas_in_sync)
