import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
x = tf.placeholder(tf.float32, [None, 4])
w = tf.get_variable("w", [4, 1])
train = tf.train.AdamOptimizer().minimize(tf.reduce_mean(tf.matmul(x, w)))
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(100):
        sess.run(train, {x: [[1.0] * 4]})
