# cleared at the very end, nothing is built after it

import tensorflow as tf
from tensorflow.keras.mixed_precision import set_global_policy

set_global_policy("mixed_float16")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, dtype="float32")])
model.compile("adam", "mse")
model.save("net.keras")
tf.keras.backend.clear_session()
