# built and compiled inside, batch scaled

import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
size = 64 * strategy.num_replicas_in_sync
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
ds = tf.data.Dataset.from_tensor_slices((tf.zeros((999, 2)), tf.zeros((999, 1)))).batch(size)
model.fit(ds)
