import numpy as np
import tensorflow as tf


class Loop:
    def __init__(self, model, opt):
        self.model, self.opt = model, opt
        self.mean = tf.keras.metrics.Mean()

    def evaluate(self, ds):
        logits = []
        for x, _ in ds:
            logits.append(self.model(x, training=False).numpy())
        return np.concatenate(logits)

    def train(self, ds):
        total = tf.Variable(0.0)
        for x, y in ds:
            with tf.GradientTape(persistent=True) as tape:
                loss = tf.reduce_mean((self.model(x) - y) ** 2)
                aux = tf.reduce_mean(self.model(x) ** 2)
            g1 = tape.gradient(loss, self.model.trainable_variables)
            g2 = tape.gradient(aux, self.model.trainable_variables)
            del tape
            self.opt.apply_gradients(zip([a + b for a, b in zip(g1, g2)], self.model.trainable_variables))
            self.mean.update_state(loss)
            total.assign_add(loss)
        return self.mean.result(), total


@tf.function
def rollout(cell, h, n):
    ta = tf.TensorArray(tf.float32, size=n)
    for i in tf.range(n):
        h = cell(h)
        ta = ta.write(i, h)
    return ta.stack()
