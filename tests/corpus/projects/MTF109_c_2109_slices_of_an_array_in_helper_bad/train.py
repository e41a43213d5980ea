import numpy as np
import tensorflow as tf
from data import to_dataset

x = np.load("train_images.npy")
y = np.load("train_labels.npy")
ds = to_dataset(x, y, 64)  #! MTF109
m = tf.keras.Sequential([tf.keras.layers.Dense(1)])
m.compile("adam", "mse")
m.fit(ds)
