# an object of a plain class holds the network and its traced step; each pass makes another one

import tensorflow as tf


class Fitted:
    def __init__(self):
        self.net = tf.keras.Sequential([tf.keras.layers.Dense(256), tf.keras.layers.Dense(1)])
        self.optimizer = tf.optimizers.Adam()

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.net(x) - y))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss


def main():
    x, y = tf.random.normal((32, 8)), tf.random.normal((32, 1))
    for run in range(500):
        fitted = Fitted()  #! MTF108 warning
        for _ in range(200):
            loss = fitted.step(x, y)
        print(run, float(loss))


main()
