import tensorflow as tf


class GAN:
    def __init__(self, g, d):
        self.g, self.d = g, d
        self.opt = tf.keras.optimizers.Adam()

    @tf.function
    def train_step(self, real, n_critic, alpha):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.d(self.g(real))) * alpha
        self.opt.apply_gradients(zip(tape.gradient(loss, self.g.weights), self.g.weights))
        return loss

    def fit(self, ds, epochs):
        total = 0
        for epoch in range(epochs):
            for real in ds:
                self.train_step(real, 5, tf.constant(total / 1000))
                total += 1
