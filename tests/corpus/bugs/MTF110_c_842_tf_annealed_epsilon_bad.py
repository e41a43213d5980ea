import tensorflow as tf


class Agent:
    def __init__(self, q):
        self.q = q
        self.opt = tf.keras.optimizers.Adam()

    @tf.function
    def update(self, s, a, r, eps):
        with tf.GradientTape() as t:
            loss = tf.reduce_mean((r - tf.gather(self.q(s), a, batch_dims=1)) ** 2) * eps
        self.opt.apply_gradients(zip(t.gradient(loss, self.q.trainable_variables), self.q.trainable_variables))
        return loss

    def learn(self, buffer, steps):
        eps = 1.0
        for i in range(steps):
            s, a, r = buffer.sample()
            eps *= 0.999
            self.update(s, a, r, eps)  #! MTF110
