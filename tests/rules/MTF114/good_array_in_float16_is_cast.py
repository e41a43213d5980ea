# one array in float16, and a model in float32

import numpy as np
import tensorflow as tf

stored = np.zeros((4, 2), dtype="float16")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(stored.astype("float32"), tf.zeros((4, 1)))
