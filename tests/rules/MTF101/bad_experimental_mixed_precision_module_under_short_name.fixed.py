# the experimental mixed precision module under a short name

import tensorflow as tf
from tensorflow.keras import mixed_precision as mp

mp.set_global_policy("mixed_float16")
inputs = tf.keras.Input((32,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(4, dtype="float32")(inputs))
model.compile("adam", "mse")
