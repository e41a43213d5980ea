import tensorflow as tf


@tf.function
def step(x, beta):
    return x * beta


@tf.function
def gen(x, alpha, label):
    return x * alpha


def kl(data, epochs, rate=0.1):
    beta = 0.0
    for e in range(epochs):
        beta = min(1.0, beta + rate)
        for x in data:
            step(x, beta)  #! MTF110


class A:
    def __init__(self):
        self.epsilon = 1.0
        self.decay = 0.99

    def run(self, env):
        while True:
            x = env.get()
            step(x, self.epsilon)  #! MTF110
            self.epsilon *= self.decay


def ok(data, beta):
    scale = tf.constant(1.0)
    total = 0.0
    for x in data:
        scale = scale * 0.9
        step(x, scale)
        step(x, beta)
        gen(x, 0.5, "a")
        loss = step(x, 0.5)
        total += loss
        step(x, total)
