import tensorflow as tf


class Seq2Seq(tf.keras.Model):
    def __init__(self, v):
        super().__init__()
        self.emb = tf.keras.layers.Embedding(v, 8)
        self.rnn = tf.keras.layers.GRU(8, return_state=True)
        self.out = tf.keras.layers.Dense(v)

    def call(self, x, training=False):
        _, h = self.rnn(self.emb(x), training=training)
        return self.out(h)

    @tf.function(reduce_retracing=True)
    def greedy(self, x, n):
        for _ in range(n):
            y = tf.argmax(self(x), -1)[:, None]
            x = tf.concat([x, tf.cast(y, x.dtype)], 1)
        return x


def generate(model, start, n):
    x = start
    for i in range(n):
        y = tf.argmax(model(x), -1)[:, None]
        x = tf.concat([x, tf.cast(y, x.dtype)], 1)
    return x.numpy()


def evaluate(model, ds):
    acc = tf.keras.metrics.SparseCategoricalAccuracy()
    total, n = 0.0, 0
    for x, y in ds:
        p = model(x)
        acc.update_state(y, p)
        total += tf.reduce_sum(p)
        n += 1
    return acc.result(), total / n
