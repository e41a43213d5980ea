import tensorflow as tf


def _load(p):
    return tf.image.resize(tf.io.decode_png(tf.io.read_file(p)), (7, 7))


def dataset(pat, bs=32):
    files = tf.data.Dataset.list_files(pat)
    return files.map(_load, num_parallel_calls=tf.data.AUTOTUNE).batch(bs).shuffle(1024).prefetch(1)  #! MTF107
