# the constructor sets the attribute to None and then to a persistent tape

import tensorflow as tf


class Trainer:
    def __init__(self, net, opt, learns):
        self.net, self.opt = net, opt
        self.tape = None
        if learns:
            self.tape = tf.GradientTape(persistent=True)  #! MTF112 warning

    def fit(self, data):
        for x, y in data:
            with self.tape:
                loss = tf.reduce_mean(tf.square(self.net(x, training=True) - y))
            gradients = self.tape.gradient(loss, self.net.trainable_variables)
            self.opt.apply_gradients(zip(gradients, self.net.trainable_variables))
