# floatx set to float16, straight through

import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1, dtype="float32")])
model.compile("adam", "mse")
model.fit(tf.zeros((4, 2)), tf.zeros((4, 1)))
