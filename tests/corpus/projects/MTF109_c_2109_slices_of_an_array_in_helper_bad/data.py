import tensorflow as tf


def to_dataset(x, y, bs):
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(bs).prefetch(1)  #= MTF109
