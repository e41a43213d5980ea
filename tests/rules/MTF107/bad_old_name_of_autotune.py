# the old name of AUTOTUNE

import tensorflow as tf

AUTO = tf.data.experimental.AUTOTUNE  #! MTF107 advice


def batches(files):
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=AUTO)
    return ds.batch(8).prefetch(tf.data.experimental.AUTOTUNE)  #! MTF107 advice
