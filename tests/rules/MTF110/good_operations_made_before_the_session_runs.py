"""All operations are there before the loop; what one pass makes once is made once."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x, y = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 3])
outputs = tf.matmul(x, tf.get_variable("w", [4, 3]))
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(outputs, 1), tf.argmax(y, 1)), tf.float32))
spread = None
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(1000):
        if spread is None:
            spread = tf.reduce_max(outputs)
        print(sess.run([accuracy, spread], feed_dict={x: batch, y: labels}))
