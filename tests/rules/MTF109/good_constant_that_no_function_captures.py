# a constant that no function captures

import numpy as np
import tensorflow as tf

table = tf.constant(np.load("embeddings.npy"))


@tf.function
def mean(x):
    return tf.reduce_mean(x)


print(mean(tf.gather(table, [1, 2])))
