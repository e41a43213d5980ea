"""TensorFlow 1: the decay of the learning rate is made in each step, and run in a session that is passed in."""

import tensorflow as tf


def train(sess, step, batches, optimize):
    for number, batch in enumerate(batches):
        rate = tf.train.cosine_decay(0.1, step, 1000)  #! MTF110 warning
        value = sess.run(rate, feed_dict={step: number})
        sess.run(optimize, feed_dict={"rate:0": value, "x:0": batch})
