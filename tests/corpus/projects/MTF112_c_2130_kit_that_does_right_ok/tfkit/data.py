import tensorflow as tf
from .parse import parse


def train(pat, bs):
    files = tf.data.Dataset.from_tensor_slices(tf.io.gfile.glob(pat))
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.shuffle(2000).map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(bs).prefetch(tf.data.AUTOTUNE)
