# a first batch makes sequences, which are shuffled and batched again

import tensorflow as tf

ids = tf.data.Dataset.from_tensor_slices(tf.range(100000))
sequences = ids.batch(101, drop_remainder=True)
pairs = sequences.map(lambda s: (s[:-1], s[1:]), num_parallel_calls=tf.data.AUTOTUNE)
dataset = pairs.shuffle(10000).batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
