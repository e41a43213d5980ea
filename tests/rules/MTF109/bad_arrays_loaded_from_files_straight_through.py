# arrays loaded from files, straight through

import numpy as np
import tensorflow as tf

features = np.load("features.npy")
labels = np.load("labels.npy")
ds = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32)  #! MTF109 warning
