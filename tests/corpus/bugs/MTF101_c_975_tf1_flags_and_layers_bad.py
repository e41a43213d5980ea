import numpy as np
import tensorflow as tf

flags = tf.app.flags  #! MTF101
flags.DEFINE_integer("batch", 32, "")


class Net(object):
    def __init__(self, sess):
        self.sess = sess
        self.x = tf.placeholder(tf.float32, [None, 4])  #! MTF101
        self.y = tf.layers.dense(self.x, 2)  #! MTF101
        self.init = tf.global_variables_initializer()  #! MTF101

    def run(self, v):
        return self.sess.run(self.y, {self.x: v})


gpu_options = tf.GPUOptions(per_process_gpu_memory_fraction=0.3)  #! MTF101
with tf.Session(config=tf.ConfigProto(gpu_options=gpu_options)) as sess:  #! MTF101
    n = Net(sess)
    sess.run(n.init)
    print(n.run(np.zeros((1, 4))))
