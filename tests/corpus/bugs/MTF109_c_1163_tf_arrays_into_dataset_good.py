import glob

import numpy as np
import pandas as pd
import tensorflow as tf


def images(path):
    x = np.load(path, mmap_mode="r")

    def rows():
        for i in range(len(x)):
            yield x[i]

    spec = tf.TensorSpec(x.shape[1:], x.dtype)
    return tf.data.Dataset.from_generator(rows, output_signature=spec).batch(32).prefetch(tf.data.AUTOTUNE)


def files():
    names = sorted(glob.glob("data/*.jpg"))
    labels = [int("dog" in n) for n in names]
    return tf.data.Dataset.from_tensor_slices((names, labels)).shuffle(1000).batch(8).prefetch(1)


def classes(csv):
    labels = pd.read_csv(csv)["label"].unique()
    return tf.data.Dataset.from_tensor_slices(labels).batch(4).prefetch(1)


def main(model):
    small = tf.data.Dataset.from_tensor_slices(np.random.rand(64, 8).astype("float32")).batch(8).prefetch(1)
    model.fit(images("x.npy"), epochs=5)
    model.fit(small)
