# made once per constructor, outside of any loop

import tensorflow as tf


class Model(tf.Module):
    def __init__(self, size):
        self.weight = tf.Variable(tf.zeros((size,)))
        self.call = tf.function(self.forward)

    def forward(self, x):
        return x * self.weight


model = Model(4)
for _ in range(10):
    model.call(tf.zeros((4,)))
