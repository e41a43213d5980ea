# the policy is set again after it

import tensorflow as tf

for fold in range(5):
    tf.keras.backend.clear_session()
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, dtype="float32")])
    model.compile("adam", "mse")
