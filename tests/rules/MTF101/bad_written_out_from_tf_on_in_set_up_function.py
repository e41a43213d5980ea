# written out from tf on, in a set-up function

import tensorflow as tf


def set_up(half):
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.set_memory_growth(gpu, True)  #! MTF101
    if half:
        policy = tf.keras.mixed_precision.experimental.Policy("mixed_float16")  #! MTF101
        tf.keras.mixed_precision.experimental.set_policy(policy)  #! MTF101


set_up(True)
