# What a signature of a saved model gives is an output of the model.

import tensorflow as tf


class Predictor:
    def __init__(self, path):
        self.loaded = tf.saved_model.load(path)
        self.infer = self.loaded.signatures["serving_default"]

    def predict(self, batches):
        outputs = []
        for batch in batches:
            outputs.append(self.infer(inputs=batch)["prediction"])  #! MTF112 warning
        return tf.concat(outputs, axis=0).numpy()


lines = tf.data.TextLineDataset("lines.txt").batch(32)
print(Predictor("model").predict(lines))
