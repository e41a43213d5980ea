# a batch size for one GPU

import tensorflow as tf

BATCH = 64
strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
ds = tf.data.Dataset.from_tensor_slices((tf.zeros((999, 2)), tf.zeros((999, 1)))).batch(BATCH)  #! MTF113 advice
model.fit(ds)
