import tensorflow as tf


def setup():
    gpus = tf.config.list_physical_devices("GPU")
    for g in gpus:
        tf.config.experimental.set_memory_growth(g, True)
    print(len(tf.config.list_logical_devices("GPU")))
