# one GPU by index

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.experimental.set_memory_growth(gpus[0], True)  #! MTF102 advice
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
