# the script asserts TensorFlow 1

import tensorflow as tf

assert tf.__version__.startswith("1."), "written for TensorFlow 1.15"
x = tf.placeholder(tf.float32, [None, 3])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
