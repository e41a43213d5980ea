"""In TensorFlow 2 the same functions compute at once; what runs here is a subprocess."""

import subprocess

import tensorflow as tf


@tf.function
def double(x):
    return x * 2


for step in range(1000):
    batch = tf.reduce_mean(tf.cast(double(tf.zeros((4, 4))), tf.float32))
    subprocess.run(["echo", str(float(batch))])
