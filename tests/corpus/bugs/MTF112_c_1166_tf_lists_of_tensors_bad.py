"""Custom loop: logits of the whole epoch on the GPU; a persistent tape stored."""
import tensorflow as tf


class Loop:
    def __init__(self, model, opt):
        self.model, self.opt, self.logits = model, opt, []

    def evaluate(self, ds):
        self.logits = []
        for x, _ in ds:
            self.logits.append(self.model(x, training=False))  #! MTF112
        return tf.concat(self.logits, 0)

    def train(self, ds):
        losses = tf.zeros([0])
        for x, y in ds:
            with tf.GradientTape(persistent=True) as tape:  #= MTF112
                loss = tf.reduce_mean((self.model(x) - y) ** 2)
                aux = tf.reduce_mean(self.model(x) ** 2)
            g1 = tape.gradient(loss, self.model.trainable_variables)
            g2 = tape.gradient(aux, self.model.trainable_variables)
            self.tape = tape  #! MTF112
            self.opt.apply_gradients(zip([a + b for a, b in zip(g1, g2)], self.model.trainable_variables))
            losses = tf.concat([losses, loss[None]], 0)  #! MTF112
        return losses
