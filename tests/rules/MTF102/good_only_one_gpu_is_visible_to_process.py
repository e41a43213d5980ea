# only one GPU is visible to the process

import os

os.environ["CUDA_VISIBLE_DEVICES"] = "1"

import tensorflow as tf

physical = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(physical[0], True)
model = tf.keras.applications.ResNet50(weights=None)
