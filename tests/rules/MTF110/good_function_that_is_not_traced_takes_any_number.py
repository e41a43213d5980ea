# a function that is not traced takes any number

import tensorflow as tf


@tf.function
def step(x):
    return x * 2


def log(number, value):
    print(number, float(value))


for number in range(100):
    log(number, step(tf.zeros(())))
