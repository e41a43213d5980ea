# Classifies the rows of many feature files one at a time.
import pathlib

import numpy as np
import tensorflow as tf


def make_model(features: int) -> tf.keras.Model:
    inputs = tf.keras.Input((features,))
    hidden = tf.keras.layers.Dense(64, activation="relu")(inputs)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1, activation="sigmoid")(hidden))


def run_inference(folder, model):
    scores = {}
    for path in sorted(pathlib.Path(folder).glob("*.npy")):
        rows = np.load(path)
        preds = np.zeros(len(rows))
        for i in range(len(rows)):
            preds[i] = model.predict(rows[i:i + 1], verbose=0)[0, 0]  #! MTF111
        scores[path.stem] = preds
    return scores


if __name__ == "__main__":
    tf.config.experimental.set_memory_growth(tf.config.list_physical_devices("GPU")[0], True)
    model = make_model(60)
    model.load_weights("classifier.weights.h5")
    np.savez("scores.npz", **run_inference("features", model))
