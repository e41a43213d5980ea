import numpy as np
import tensorflow as tf


def get_data(path):
    with np.load(path) as data:
        train_examples = data["x_train"]
        train_labels = data["y_train"]
    return train_examples, train_labels


x, y = get_data("big.npz")
train = tf.data.Dataset.from_tensor_slices((x, y))  #! MTF109
train = train.shuffle(100).batch(64)
