# another model in the same file has nothing to do with the strategy

import tensorflow as tf


def single():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


def many():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")
    print(strategy.num_replicas_in_sync)
    return model
