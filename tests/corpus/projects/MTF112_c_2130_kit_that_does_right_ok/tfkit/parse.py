import tensorflow as tf


def parse(r):
    e = tf.io.parse_single_example(r, {"x": tf.io.FixedLenFeature([4], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)})
    return e["x"], e["y"]
