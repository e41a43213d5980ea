# try and except choose between the two

import tensorflow as tf

try:
    from tensorflow.keras.mixed_precision import experimental as mixed_precision

    mixed_precision.set_policy("mixed_float16")
except ImportError:
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
try:
    graph = tf.get_default_graph()
except AttributeError:
    graph = tf.compat.v1.get_default_graph()
