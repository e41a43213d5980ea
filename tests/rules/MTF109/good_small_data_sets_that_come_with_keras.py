# the small data sets that come with Keras

import tensorflow as tf

(x, y), _ = tf.keras.datasets.mnist.load_data()
ds = tf.data.Dataset.from_tensor_slices((x / 255.0, y)).batch(64)
