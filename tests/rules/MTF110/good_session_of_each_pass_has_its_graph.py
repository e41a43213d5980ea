"""TensorFlow 1: each pass has a graph and a session of its own; numbers and lists of fetches are put together."""

import tensorflow.compat.v1 as tf


def measure(values):
    for value in values:
        with tf.Graph().as_default():
            sess = tf.Session()
            a = tf.placeholder(tf.float32, name="a")
            print(sess.run(tf.identity(a), feed_dict={a: value}))


def fetch(sess, loss, summaries, batches):
    more = [summaries]
    for number, batch in enumerate(batches):
        print(sess.run([loss] + more, feed_dict={"x:0": batch, "rate:0": -0.1 * number}))
