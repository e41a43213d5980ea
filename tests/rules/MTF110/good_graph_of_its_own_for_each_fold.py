"""Each fold has a graph and a session of its own, which go with it."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
for fold in folds:
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [None, 4])
    total = tf.reduce_sum(x)
    with tf.Session() as sess:
        for batch in fold:
            print(sess.run(total, feed_dict={x: batch}))
