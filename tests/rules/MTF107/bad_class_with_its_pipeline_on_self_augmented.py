# a class with its pipeline on self, augmented before the cache, trained by hand

import tensorflow as tf


class Data:
    def __init__(self, records):
        self.ds = tf.data.TFRecordDataset(records)
        self.ds = self.ds.map(self.parse, num_parallel_calls=4)
        self.ds = self.ds.map(self.augment, num_parallel_calls=4)
        self.ds = self.ds.cache()  #! MTF107 warning

    def parse(self, record):
        return tf.io.parse_single_example(record, {"x": tf.io.FixedLenFeature([8], tf.float32)})["x"]

    def augment(self, x):
        return x + tf.random.normal(tf.shape(x), stddev=0.1)

    def batches(self, size):
        return self.ds.shuffle(1000).batch(size)  #! MTF107 warning


def train(model, optimizer, data):
    for x in data.batches(16):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


train(tf.keras.Sequential([tf.keras.layers.Dense(1)]), tf.keras.optimizers.Adam(), Data(["a.tfrecord"]))
