# the old name of AUTOTUNE

import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def batches(files):
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=AUTO)
    return ds.batch(8).prefetch(tf.data.AUTOTUNE)
