import numpy as np
import tensorflow as tf


class GAN:
    def __init__(self, g):
        self.g = g
        self.go = tf.keras.optimizers.Adam(1e-4)
        self.alpha = tf.Variable(0.0, trainable=False)

    @tf.function
    def train_step(self, real, training=True):
        with tf.GradientTape() as gt:
            gl = -tf.reduce_mean(self.g(tf.random.normal([tf.shape(real)[0], 100]), training=training)) * self.alpha
        self.go.apply_gradients(zip(gt.gradient(gl, self.g.trainable_variables), self.g.trainable_variables))
        return gl

    def train(self, ds, epochs):
        for epoch in range(epochs):
            self.alpha.assign(min(1.0, epoch / 20))
            for batch in ds:
                self.train_step(batch)
                self.train_step(batch, training=epoch % 2 == 0)


@tf.function(input_signature=[tf.TensorSpec([None, 8], tf.float32), tf.TensorSpec([], tf.float32)])
def noisy(x, sigma):
    return x + tf.random.normal(tf.shape(x)) * sigma


@tf.function(reduce_retracing=True)
def scaled(x, s):
    return x * s


def sweep(x):
    for s in np.linspace(0, 1, 50):
        print(float(tf.reduce_mean(noisy(x, float(s)))), scaled(x, tf.constant(s, tf.float32)))
