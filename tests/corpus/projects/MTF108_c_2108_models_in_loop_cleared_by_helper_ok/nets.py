import tensorflow as tf


def build(n):
    m = tf.keras.Sequential([tf.keras.layers.Dense(n + 1), tf.keras.layers.Dense(1)])
    m.compile("adam", "mse")
    return m


def fresh(n):
    tf.keras.backend.clear_session()
    return build(n)
