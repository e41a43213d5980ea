"""Custom layers and callbacks that keep tensors; metrics collected by hand."""
import tensorflow as tf


class History(tf.keras.callbacks.Callback):
    def __init__(self, probe):
        super().__init__()
        self.probe, self.outputs = probe, []

    def on_train_batch_end(self, batch, logs=None):
        self.outputs.append(self.model(self.probe, training=False))  #! MTF112


def evaluate(model, ds):
    preds, labels = [], []
    for x, y in ds:
        p = model(x, training=False)
        preds.append(tf.nn.softmax(p))  #! MTF112
        labels.append(y)
    return tf.concat(preds, 0), tf.concat(labels, 0)


def features(backbone_path, ds):
    backbone = tf.keras.models.load_model(backbone_path)
    bank = None
    for x, _ in ds:
        f = backbone(x)
        bank = f if bank is None else tf.concat([bank, f], axis=0)  #! MTF112
    return bank
