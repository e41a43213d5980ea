# the environment allows growth, or picks a GPU

import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

import tensorflow as tf

print(tf.test.is_built_with_cuda())
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(tf.zeros((4, 2)), tf.zeros((4, 1)))
