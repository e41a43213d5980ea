# Dataset.map traces its function once, and the loop in it with it

import tensorflow as tf


def boxes(table):
    @tf.function
    def fill(row, cells):
        return tf.zeros((tf.shape(row)[0], cells, cells))

    def encode(row):
        outs, cells = (), 13
        for _ in range(3):
            outs += (fill(row, cells),)
            cells *= 2
        return outs

    return tf.data.Dataset.from_tensor_slices(table).map(lambda row: encode(row))


print(boxes(tf.zeros((8, 4))))
