# a property with a setter is no method: what it gives may be the same tensor each time

import tensorflow as tf


class Minimizer:
    def __init__(self, model, domain, optimizer):
        self.model, self._domain, self.optimizer = model, domain, optimizer

    @property
    def domain(self):
        return self._domain

    @domain.setter
    def domain(self, domain):
        self._domain = tf.convert_to_tensor(domain)

    @tf.function
    def fit_step(self, domain):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.model(domain) ** 2)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def fit(self, epochs):
        for _ in range(epochs):
            self.loss = self.fit_step(self.domain)
