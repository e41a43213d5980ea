import tensorflow as tf


def pipeline(pat):
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pat))
    return ds.map(lambda r: tf.io.parse_tensor(r, tf.float32), num_parallel_calls=tf.data.AUTOTUNE).batch(8).prefetch(2)
