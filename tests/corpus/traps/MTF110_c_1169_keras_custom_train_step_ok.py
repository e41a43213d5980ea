"""Custom layers, callbacks, metrics and train_step: nothing of this keeps or repeats anything."""
import keras
import numpy as np
import tensorflow as tf
from keras import ops


class Gate(keras.layers.Layer):
    def __init__(self, units, **kw):
        super().__init__(**kw)
        self.dense = keras.layers.Dense(units)
        self.layers_out = []

    def call(self, x, training=None):
        outs = []
        for _ in range(3):
            x = self.dense(x)
            outs.append(x)
        return ops.concatenate(outs, axis=-1)


class F1(keras.metrics.Metric):
    def __init__(self, **kw):
        super().__init__(**kw)
        self.tp = self.add_variable((), "zeros", name="tp")

    def update_state(self, y, p, sample_weight=None):
        self.tp.assign_add(ops.sum(ops.cast((p > 0.5) & (y > 0.5), "float32")))

    def result(self):
        return self.tp


class VAE(keras.Model):
    def __init__(self, enc, dec):
        super().__init__()
        self.enc, self.dec = enc, dec
        self.loss_tracker = keras.metrics.Mean(name="loss")

    def train_step(self, data):
        with tf.GradientTape() as tape:
            z = self.enc(data)
            loss = ops.mean((self.dec(z) - data) ** 2)
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_weights), self.trainable_weights))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}


class Plot(keras.callbacks.Callback):
    def __init__(self, x):
        super().__init__()
        self.x, self.history = x, []

    def on_epoch_end(self, epoch, logs=None):
        self.history.append(self.model.predict(self.x, verbose=0).mean())


class Seq(keras.utils.PyDataset):
    def __init__(self, x, bs, **kw):
        super().__init__(**kw)
        self.x, self.bs = x, bs

    def __len__(self):
        return len(self.x) // self.bs

    def __getitem__(self, i):
        return self.x[i * self.bs:(i + 1) * self.bs]


def main():
    vae = VAE(keras.Sequential([Gate(4)]), keras.Sequential([keras.layers.Dense(8)]))
    vae.compile(optimizer="adam")
    x = np.random.rand(64, 8).astype("float32")
    vae.fit(Seq(x, 8, workers=2, use_multiprocessing=True), epochs=2, callbacks=[Plot(x[:8])])


if __name__ == "__main__":
    main()
