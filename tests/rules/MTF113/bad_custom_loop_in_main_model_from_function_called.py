# a custom loop in main, the model from a function called outside

import tensorflow as tf


def build():
    inputs = tf.keras.Input((4,))
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))  #! MTF113 error


strategy = tf.distribute.MirroredStrategy(["GPU:0", "GPU:1"])
model = build()


def step(x):
    return tf.reduce_mean(model(x))


def main():
    batch = 32 * strategy.num_replicas_in_sync
    data = strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensors(tf.zeros((8, 4))).batch(batch))
    for x in data:
        strategy.run(step, args=(x,))


main()
