"""TensorFlow 1: what the session is to run is computed in each pass: the sign, a sum, a scaled loss."""

import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 4])
loss = tf.reduce_mean(tf.square(x))
scaled = loss * 0.1
sess = tf.Session()


def negative(batches):
    for batch in batches:
        print(sess.run(-loss, feed_dict={x: batch}))  #! MTF110 warning


def several(batches):
    for batch in batches:
        print(sess.run([loss, scaled + loss], feed_dict={x: batch}))  #! MTF110 warning
