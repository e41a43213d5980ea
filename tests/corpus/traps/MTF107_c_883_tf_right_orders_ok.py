"""MTF: names of other libraries and orders that are right."""
import tensorflow as tf
from tensorflow import keras
from sklearn.model_selection import KFold
import torch.utils.data


class Session(keras.callbacks.Callback):
    pass


def make(files):
    ds = tf.data.Dataset.from_tensor_slices(files)
    ds = ds.shuffle(len(files), reshuffle_each_iteration=True).map(load, num_parallel_calls=tf.data.AUTOTUNE).cache()
    ds = ds.batch(8)
    ds = ds.map(aug, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def load(f):
    return tf.io.read_file(f)


def aug(x):
    return tf.image.random_flip_left_right(x)


def cv(x, y, files):
    for tr, te in KFold(5).split(x):
        keras.backend.clear_session()
        m = keras.Sequential([keras.layers.Dense(1)])
        m.compile("adam", "mse")
        m.fit(x[tr], y[tr])
        print(m.predict(x[te]).mean())
        del m


strategy = tf.distribute.get_strategy()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    for g in gpus:
        tf.config.experimental.set_memory_growth(g, True)
session = Session()
