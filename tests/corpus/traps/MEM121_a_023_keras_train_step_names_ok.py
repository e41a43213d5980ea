import tensorflow as tf
from tensorflow import keras


class VAE(keras.Model):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder
        self.total_loss_tracker = keras.metrics.Mean(name="total_loss")

    def train_step(self, data):
        with tf.GradientTape() as tape:
            z_mean, z_log_var, z = self.encoder(data)
            loss = tf.reduce_mean(keras.losses.binary_crossentropy(data, self.decoder(z)))
        grads = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.trainable_weights))
        self.total_loss_tracker.update_state(loss)
        return {"loss": self.total_loss_tracker.result()}


def custom_loop(model, ds, optimizer, loss_fn, epochs):
    for epoch in range(epochs):
        total_loss = 0.0
        losses = []
        for step, (x, y) in enumerate(ds):
            with tf.GradientTape() as tape:
                loss = loss_fn(y, model(x, training=True))
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))
            total_loss += loss
            losses.append(loss)
        print(epoch, total_loss / len(losses))
