# the loop is part of a traced function

import tensorflow as tf


@tf.function
def inner(x, i):
    return x + i


@tf.function
def outer(x):
    for i in range(10):
        x = inner(x, i)
    return x


for _ in range(100):
    outer(tf.zeros((4,)))
