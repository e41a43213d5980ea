# saved models loaded one by one in a helper

import glob

import tensorflow as tf


def score(path, x):
    net = tf.keras.models.load_model(path)  #! MTF108
    return net.predict(x).mean()


def rank(folder, x):
    results = {}
    for path in sorted(glob.glob(folder + "/*.keras")):
        results[path] = score(path, x)
    return results
