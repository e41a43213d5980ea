# branches of a model while it is built, and layers of a model

import tensorflow as tf


class Pyramid(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.net = tf.keras.Sequential([tf.keras.layers.Dense(4)])

    def call(self, xs):
        outs = []
        for x in xs:
            outs.append(self.net(x))
        return tf.concat(outs, -1)


inputs = tf.keras.Input((8,))
towers = []
for width in (8, 16, 32, 64):
    towers.append(tf.keras.layers.Dense(width)(inputs))
model = tf.keras.Model(inputs, tf.keras.layers.Concatenate()(towers))
