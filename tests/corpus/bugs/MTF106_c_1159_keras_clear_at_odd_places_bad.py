"""clear_session as a cure for everything."""
import gc

import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self):
        self.q = tf.keras.Sequential([tf.keras.layers.Dense(24, activation="relu"), tf.keras.layers.Dense(2)])
        self.q.compile("adam", "mse")

    def learn(self, memory):
        for s, t in memory:
            self.q.train_on_batch(s, t)
            tf.keras.backend.clear_session()  #! MTF106
            gc.collect()


def classify(model, paths):
    out = []
    for p in paths:
        img = tf.keras.utils.img_to_array(tf.keras.utils.load_img(p))[None]
        out.append(int(np.argmax(model(img, training=False).numpy())))
        tf.keras.backend.clear_session()  #! MTF106
    return out
