# a signature, or relaxed tracing

import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
def scaled(step):
    return step * 2


@tf.function(reduce_retracing=True)
def other(step):
    return step * 2


for step in range(100):
    scaled(step)
    other(step)
