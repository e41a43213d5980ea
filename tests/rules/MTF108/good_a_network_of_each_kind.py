# one network of each kind that the script knows by name

import argparse

import numpy as np
import tensorflow as tf
from settings import CFG


def head(size):
    model = tf.keras.Sequential([tf.keras.Input((size,)), tf.keras.layers.Dense(4, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    return model


def train_one(name):
    x, y = np.load(f"{name}_x.npy"), np.load(f"{name}_y.npy")
    net = head(x.shape[1])
    net.fit(x, y, epochs=40)
    return net.evaluate(x, y)


def tune_one(name):
    net = tf.keras.models.load_model(f"head_{name}.keras")
    net.fit(np.load(f"{name}_x.npy"), np.load(f"{name}_y.npy"))
    return net.evaluate(np.load(f"{name}_x.npy"), np.load(f"{name}_y.npy"))


parser = argparse.ArgumentParser()
parser.add_argument("--backbones", nargs="+", default=CFG.backbones)
parser.add_argument("--only", nargs="*")
args = parser.parse_args()
for name in args.backbones:
    print(train_one(name))
print([tune_one(name) for name in (args.only or CFG.architectures)])
