# Keras gives each callback the model that it trains

import tensorflow as tf


class Keep(tf.keras.callbacks.Callback):
    def __init__(self, data):
        super().__init__()
        self.data = data
        self.seen = []

    def on_train_batch_end(self, batch, logs=None):
        out = self.model(self.data)
        self.seen.append(out)  #! MTF112 warning
