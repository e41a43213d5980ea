# a trainer with a decorated method and its own counter

import tensorflow as tf


class Trainer:
    def __init__(self, net, data):
        self.net, self.data = net, data
        self.optimizer = tf.optimizers.Adam()

    @tf.function
    def update(self, batch, weight):
        with tf.GradientTape() as tape:
            loss = weight * tf.reduce_sum(self.net(batch))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.net.weights), self.net.weights))

    def run(self, epochs):
        count = 0
        for epoch in range(epochs):
            for batch in self.data:
                count += 1
                weight = float(count) / 1000
                self.update(batch, weight)  #! MTF110
