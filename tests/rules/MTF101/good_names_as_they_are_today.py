# the names as they are today

import tensorflow as tf
from tensorflow.keras import mixed_precision

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
mixed_precision.set_global_policy("mixed_float16")
options = tf.data.experimental.AUTOTUNE
