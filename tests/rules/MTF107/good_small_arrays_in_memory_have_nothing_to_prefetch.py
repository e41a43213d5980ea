# small arrays in memory have nothing to prefetch

import numpy as np
import tensorflow as tf

x, y = np.random.rand(100, 4), np.random.rand(100)
ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(10)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(ds, epochs=2)
model.fit(x, y, batch_size=16)
