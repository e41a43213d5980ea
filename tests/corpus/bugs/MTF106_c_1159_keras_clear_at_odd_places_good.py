import gc

import numpy as np
import tensorflow as tf


def candidates(widths, x, y):
    best = None
    for w in widths:
        tf.keras.backend.clear_session()
        gc.collect()
        m = tf.keras.Sequential([tf.keras.layers.Dense(w), tf.keras.layers.Dense(1)])
        m.compile("adam", "mse")
        v = m.fit(x, y, verbose=0).history["loss"][-1]
        best = v if best is None else min(best, v)
    return best


def notebook_start():
    tf.keras.backend.clear_session()
    tf.random.set_seed(0)
    return tf.keras.Sequential([tf.keras.layers.Dense(1)])


def classify(model, paths):
    return [int(np.argmax(model(tf.keras.utils.img_to_array(tf.keras.utils.load_img(p))[None], training=False).numpy()))
            for p in paths]
