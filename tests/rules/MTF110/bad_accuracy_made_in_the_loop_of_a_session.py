"""TensorFlow 1: the accuracy is put together in the loop that runs it, and so is an assignment."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x, y = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 3])
weights = tf.get_variable("w", [4, 3])
rate = tf.Variable(0.1)
outputs = tf.matmul(x, weights)
loss = tf.reduce_mean(tf.square(outputs - y))
train = tf.train.GradientDescentOptimizer(rate).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())


def fit(batches):
    for step in range(1000):
        a, b = batches.next()
        sess.run(train, feed_dict={x: a, y: b})
        if step % 50 == 0:
            hits = tf.equal(tf.argmax(outputs, 1), tf.argmax(y, 1))  #! MTF110 warning
            print(sess.run(tf.reduce_mean(tf.cast(hits, tf.float32)), feed_dict={x: a, y: b}))


for epoch in range(100):
    fit(batches)
    sess.run(tf.assign(rate, 0.1 / (epoch + 1)))  #! MTF110 warning
