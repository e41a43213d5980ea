import tensorflow as tf


class GanStep:
    def __init__(self, g, d):
        self.g, self.d = g, d
        self.og, self.od = tf.keras.optimizers.Adam(), tf.keras.optimizers.Adam()

    @tf.function
    def __call__(self, x, i):
        with tf.GradientTape(persistent=True) as t:
            f = self.g(tf.random.normal((tf.shape(x)[0], 100)))
            ld = tf.reduce_mean(self.d(f)) - tf.reduce_mean(self.d(x))
            lg = -tf.reduce_mean(self.d(f))
        self.od.apply_gradients(zip(t.gradient(ld, self.d.trainable_variables), self.d.trainable_variables))
        if i % 5 == 0:
            self.og.apply_gradients(zip(t.gradient(lg, self.g.trainable_variables), self.g.trainable_variables))
        return ld
