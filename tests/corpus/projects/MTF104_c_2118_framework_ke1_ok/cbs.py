import keras


class Hist(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.h = []

    def on_epoch_end(self, epoch, logs=None):
        self.h.append(logs["loss"])
