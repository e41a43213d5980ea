# the outputs come from a function that runs the model

import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("unet.keras")


@tf.function
def infer(x):
    return model(x, training=False)


def predict(data):
    found = []
    for images in data:
        mask = infer(images)
        found.append(mask)  #! MTF112 warning
    return np.concatenate([np.asarray(mask) for mask in found])


class Runner:
    def __init__(self):
        self.net = tf.keras.Sequential([tf.keras.layers.Dense(1000)])

    @tf.function
    def run(self, x):
        return self.net(x)

    def run_all(self, data):
        out = []
        for x in data:
            out.append(self.run(x))  #! MTF112 warning
        return tf.concat(out, 0).numpy()
