# net.step is another object each time that it is written

import tensorflow as tf


@tf.function
def epoch(step, data):
    total = tf.constant(0.0)
    for x, y in data:
        total += step(x, y)
    return total


class Net:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.Adam()

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x) - y))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def fit(self, data, epochs):
        for number in range(epochs):
            print(number, epoch(self.step, data))  #! MTF110 warning


def main(data):
    net = Net()
    for number in range(1000):
        print(number, epoch(net.step, data).numpy())  #! MTF110 warning
        print(epoch(lambda x, y: tf.reduce_sum(net.model(x) - y), data).numpy())  #! MTF110 warning
