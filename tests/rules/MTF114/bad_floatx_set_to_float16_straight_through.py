# floatx set to float16, straight through

import tensorflow as tf

tf.keras.backend.set_floatx("float16")  #! MTF114 warning
model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1, dtype="float32")])
model.compile("adam", "mse")
model.fit(tf.zeros((4, 2)), tf.zeros((4, 1)))
