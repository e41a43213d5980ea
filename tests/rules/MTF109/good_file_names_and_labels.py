# file names and labels

import glob

import numpy as np
import tensorflow as tf

files = sorted(glob.glob("data/*.png"))
labels = np.load("labels.npy")
ds = tf.data.Dataset.from_tensor_slices((files, labels))
paths = tf.data.Dataset.from_tensor_slices(np.load("paths.npy"))
