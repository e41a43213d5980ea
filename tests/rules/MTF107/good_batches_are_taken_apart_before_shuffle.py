# batches are taken apart before the shuffle

import tensorflow as tf

ds = tf.data.Dataset.range(1000).batch(10).unbatch().shuffle(1000).batch(32)
windows = tf.data.Dataset.range(1000).window(20).flat_map(lambda w: w.batch(20)).shuffle(200).batch(16)
