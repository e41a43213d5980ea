# the method is the same in all epochs, and its step runs for every batch

import tensorflow as tf


class Trainer:
    def __init__(self, model, optimizer, data):
        self.model, self.optimizer, self.data = model, optimizer, data

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x) - y))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def fit(self, epochs):
        for epoch in range(epochs):
            step = tf.function(self.step)  #! MTF110 warning
            for x, y in self.data:
                loss = step(x, y)
            print(epoch, float(loss))
