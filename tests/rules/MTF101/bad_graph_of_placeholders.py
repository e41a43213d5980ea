# a graph of placeholders

import tensorflow as tf

tf.reset_default_graph()  #! MTF101
x = tf.placeholder(tf.float32, [None, 10])  #! MTF101
w = tf.get_variable("w", [10, 1])  #! MTF101
loss = tf.reduce_mean(tf.matmul(x, w))
train = tf.train.AdamOptimizer(1e-3).minimize(loss)  #! MTF101
