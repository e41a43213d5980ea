# made in the loop, decorated or wrapped

import tensorflow as tf

x = tf.zeros((8, 8))
for trial in range(50):

    @tf.function
    def double(v):  #! MTF110 warning
        return v * 2

    double(x)


while float(tf.reduce_sum(x)) < 10:
    grow = tf.function(lambda v: v + 1)  #! MTF110
    x = grow(x)
    x = tf.function(tf.nn.relu)(x)  #! MTF110
