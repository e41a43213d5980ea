# a whole script of TensorFlow 1, with one name that has a fix

import tensorflow as tf

tf.logging.set_verbosity(tf.logging.INFO)  #! MTF101 error
x = tf.placeholder(tf.float32, [None, 784])
y = tf.placeholder(tf.int64, [None])
logits = tf.layers.dense(x, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
config = tf.ConfigProto()
with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.set_memory_growth(gpu, True)  #! MTF101 error
