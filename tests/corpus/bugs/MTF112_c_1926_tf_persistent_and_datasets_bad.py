"""MAML in TF with a persistent tape, big constants, shuffling after batching by a helper."""
import numpy as np
import tensorflow as tf


def batches(ds, n):
    return ds.batch(n, drop_remainder=True)


class Maml:
    def __init__(self, net):
        self.net, self.opt = net, tf.keras.optimizers.Adam()

    def outer(self, tasks):
        for xs, ys in tasks:
            with tf.GradientTape(persistent=True) as tape:  #! MTF112
                inner = tf.reduce_mean((self.net(xs) - ys) ** 2)
                g = tape.gradient(inner, self.net.trainable_variables)
                outer = tf.reduce_mean((self.net(xs + g[0][:1]) - ys) ** 2)
            self.opt.apply_gradients(zip(tape.gradient(outer, self.net.trainable_variables), self.net.trainable_variables))


def load():
    x = np.load("big.npy").astype(np.float32)
    ds = tf.data.Dataset.from_tensor_slices(x)  #! MTF109
    return batches(ds, 64).shuffle(1000).prefetch(2)  #! MTF107
