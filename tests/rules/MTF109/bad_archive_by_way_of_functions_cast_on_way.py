# an archive by way of functions, cast on the way

import numpy as np
import tensorflow as tf
from tensorflow.data import Dataset


def read(path):
    with np.load(path) as archive:
        return archive["x"].astype("float32"), archive["y"]


def make(path, size):
    archive = np.load(path)
    images = archive["images"] / 255.0
    return Dataset.from_tensor_slices({"image": images, "label": archive["labels"]}).batch(size)  #! MTF109


def main():
    for batch in make("train.npz", 8):
        print(tf.shape(batch["image"]))


main()
