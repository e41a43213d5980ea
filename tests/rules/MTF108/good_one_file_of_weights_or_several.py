# the loop only makes one out of several ways to give an option

import argparse

import tensorflow as tf


def export(path):
    inputs = tf.keras.Input((16,))
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(4)(inputs))
    model.load_weights(path)
    model.save(path + ".keras")


parser = argparse.ArgumentParser()
parser.add_argument("--weights", nargs="+", default="last.h5")
options = parser.parse_args()
for path in options.weights if isinstance(options.weights, list) else [options.weights]:
    export(path)
