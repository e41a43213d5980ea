# a script that trains on the GPU

import numpy as np
import tensorflow as tf  #! MTF104 advice

print("GPUs:", len(tf.config.list_physical_devices("GPU")))
model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(np.zeros((64, 4)), np.zeros((64, 1)))
