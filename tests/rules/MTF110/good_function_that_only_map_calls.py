# Dataset.map traces its function once, and the loop in it with it

import tensorflow as tf


@tf.function
def fill(boxes, cells):
    return tf.zeros((tf.shape(boxes)[0], cells, cells))


def encode(boxes):
    outs, cells = (), 13
    for _ in range(3):
        outs += (fill(boxes, cells),)
        cells *= 2
    return outs


ds = tf.data.Dataset.from_tensor_slices(tf.zeros((8, 4))).map(lambda b: encode(b))
