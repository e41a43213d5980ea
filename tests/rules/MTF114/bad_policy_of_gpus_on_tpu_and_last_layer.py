# the policy of GPUs on a TPU, and a last layer without activation

import tensorflow as tf

resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
strategy = tf.distribute.TPUStrategy(resolver)
tf.keras.mixed_precision.set_global_policy("mixed_float16")  #! MTF114
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dense(10)])  #! MTF114
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(tf.zeros((4, 2)), tf.zeros((4,)))
