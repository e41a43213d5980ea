"""TensorFlow 1: every pass has a session of its own, and adds to the one default graph."""

import tensorflow.compat.v1 as tf


def measure(values):
    for value in values:
        sess = tf.Session()
        a = tf.placeholder(tf.float32, name="a")  #! MTF110 warning
        print(sess.run(tf.identity(a), feed_dict={a: value}))
        sess.close()
