"""WARNING:tensorflow:5 out of the last 5 calls triggered tf.function retracing."""
import numpy as np
import tensorflow as tf


class GAN:
    def __init__(self, g, d):
        self.g, self.d = g, d
        self.go, self.do = tf.keras.optimizers.Adam(1e-4), tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def train_step(self, real, alpha):
        with tf.GradientTape() as gt, tf.GradientTape() as dt:
            fake = self.g(tf.random.normal([tf.shape(real)[0], 100]), training=True)
            gl = -tf.reduce_mean(self.d(fake)) * alpha
            dl = tf.reduce_mean(self.d(fake)) - tf.reduce_mean(self.d(real))
        self.go.apply_gradients(zip(gt.gradient(gl, self.g.trainable_variables), self.g.trainable_variables))
        self.do.apply_gradients(zip(dt.gradient(dl, self.d.trainable_variables), self.d.trainable_variables))
        return gl, dl

    def train(self, ds, epochs):
        for epoch in range(epochs):
            alpha = min(1.0, epoch / 20)
            for batch in ds:
                self.train_step(batch, alpha)  #! MTF110


def adversarial(model, xs, loss_fn):
    out = []
    for x in xs:
        @tf.function
        def attack(t):  #! MTF110
            with tf.GradientTape() as tape:
                tape.watch(t)
                loss = loss_fn(model(t))
            return tape.gradient(loss, t)
        out.append(attack(x).numpy())
    return np.stack(out)


@tf.function
def noisy(x, sigma):
    return x + tf.random.normal(tf.shape(x)) * sigma


def sweep(x):
    for s in np.linspace(0, 1, 50):
        print(float(tf.reduce_mean(noisy(x, float(s)))))  #! MTF110
