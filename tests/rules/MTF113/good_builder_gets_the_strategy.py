# What builds the model gets the strategy, and enters its scope.

import tensorflow as tf


def create(strategy, size):
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(size)])
        model.compile(loss="mse")
    return model


def train(data, size):
    strategy = tf.distribute.MirroredStrategy()
    model = create(strategy=strategy, size=size)
    with strategy.scope():
        model.fit(data.batch(8 * strategy.num_replicas_in_sync), epochs=3)
    return model
