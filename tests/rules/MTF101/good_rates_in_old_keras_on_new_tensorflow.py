# the environment asks TensorFlow for Keras 2

import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import tensorflow as tf

opt = tf.keras.optimizers.Adam(lr=1e-3)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(opt, "mse")
