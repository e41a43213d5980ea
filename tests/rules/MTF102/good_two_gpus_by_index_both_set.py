# two GPUs by index, both set

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(gpus[0], True)
if len(gpus) > 1:
    tf.config.experimental.set_memory_growth(gpus[1], True)
strategy = tf.distribute.MirroredStrategy()
