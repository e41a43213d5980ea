"""tf.function wrapped in the loop; Python numbers from the loop as arguments; learning rates as floats."""
import tensorflow as tf


def fit(models, ds):
    for model in models:
        for x, y in ds:
            step = tf.function(lambda a, b: tf.reduce_mean((model(a) - b) ** 2))  #! MTF110
            print(step(x, y).numpy())


class Meta:
    def __init__(self, net):
        self.net = net

    @tf.function(jit_compile=True)
    def inner(self, x, y, lr):
        with tf.GradientTape() as t:
            loss = tf.reduce_mean((self.net(x) - y) ** 2)
        for v, g in zip(self.net.trainable_variables, t.gradient(loss, self.net.trainable_variables)):
            v.assign_sub(lr * g)
        return loss

    def adapt(self, tasks):
        for i, (x, y) in enumerate(tasks):
            self.inner(x, y, 0.1 / (i + 1))  #! MTF110


@tf.function
def sample(model, seed, temperature, length):
    out = seed
    for _ in range(length):
        out = tf.concat([out, tf.random.categorical(model(out)[:, -1] / temperature, 1)], 1)
    return out


def grow(model, seed):
    for n in range(10, 500):
        print(sample(model, seed, 1.0, n))  #! MTF110
