# a function builds it, called inside

import tensorflow as tf


def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


def main(global_batch):
    strategy = tf.distribute.MirroredStrategy()
    print("replicas:", strategy.num_replicas_in_sync)
    with strategy.scope():
        model = build()
    model.fit(tf.zeros((64, 4)), tf.zeros((64, 1)), batch_size=global_batch)


main(256)
