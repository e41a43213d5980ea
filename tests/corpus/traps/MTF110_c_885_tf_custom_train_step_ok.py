"""MTF110/111/112: few traces, whole sets, metrics."""
import numpy as np
import tensorflow as tf


class Trainer(tf.keras.Model):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.m = tf.keras.metrics.Mean()

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as t:
            loss = self.compute_loss(y=y, y_pred=self(x, training=True))
        self.optimizer.apply_gradients(zip(t.gradient(loss, self.trainable_variables), self.trainable_variables))
        self.m.update_state(loss)
        return {"loss": self.m.result()}

    def call(self, x, training=False):
        return self.net(x, training=training)


@tf.function
def grads(model, x, flag):
    with tf.GradientTape() as t:
        y = tf.reduce_sum(model(x, training=flag))
    return t.gradient(y, model.trainable_variables)


@tf.function
def unroll(cell, x, steps):
    outs = []
    h = x
    for i in range(steps):
        h = cell(h)
        outs.append(h)
    return tf.stack(outs)


def loop(model, ds, epochs):
    history = []
    for e in range(epochs):
        for x in ds:
            g = grads(model, x, True)
        history.append(float(tf.linalg.global_norm(g)))
        pred = model.predict(ds)
        np.save("p.npy", pred)
    for chunk in np.array_split(np.arange(100), 4):
        print(unroll(model, tf.constant(chunk), 5))
    return history
