import tensorflow as tf


class Trainer(tf.Module):
    def __init__(self, model):
        self.model = model
        self.opt = tf.keras.optimizers.SGD()

    @tf.function
    def train_step(self, x, epoch, lr):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.model(x)) * lr
        self.opt.apply_gradients(zip(tape.gradient(loss, self.model.trainable_variables), self.model.trainable_variables))
        return loss

    def fit(self, ds, epochs):
        for epoch in range(epochs):
            lr = 0.1 * (0.9 ** epoch)
            for x in ds:
                self.train_step(x, epoch, lr)  #! MTF110 #? MTF110
