"""Custom training with everything in its place, 2024 style."""
import functools
import os

os.environ.setdefault("TF_GPU_ALLOCATOR", "cuda_malloc_async")

import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def configure():
    gpus = tf.config.list_physical_devices("GPU")
    try:
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
    except RuntimeError as err:
        print(err)
    return len(gpus)


def parse(size, record):
    f = tf.io.parse_single_example(record, {"i": tf.io.FixedLenFeature([], tf.string), "l": tf.io.FixedLenFeature([], tf.int64)})
    return tf.image.resize(tf.io.decode_jpeg(f["i"], 3), size) / 255.0, f["l"]


def pipeline(pattern, size, batch, training):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO)
    if training:
        ds = ds.shuffle(2048)
    ds = ds.map(functools.partial(parse, size), num_parallel_calls=AUTO)
    return ds.batch(batch, drop_remainder=training).prefetch(AUTO)


class Trainer:
    def __init__(self, replicas):
        self.strategy = tf.distribute.MirroredStrategy() if replicas > 1 else tf.distribute.get_strategy()
        with self.strategy.scope():
            self.model = tf.keras.applications.MobileNetV2(weights=None, classes=10)
            self.opt = tf.keras.optimizers.SGD(0.1)
            self.loss = tf.keras.losses.SparseCategoricalCrossentropy(reduction="none")
            self.mean = tf.keras.metrics.Mean()
        self.batch = 32 * self.strategy.num_replicas_in_sync

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.nn.compute_average_loss(self.loss(y, self.model(x, training=True)), global_batch_size=self.batch)
        self.opt.apply_gradients(zip(tape.gradient(loss, self.model.trainable_variables), self.model.trainable_variables))
        self.mean.update_state(loss)

    @tf.function
    def distributed(self, x, y):
        self.strategy.run(self.step, args=(x, y))

    def fit(self, pattern, epochs):
        ds = self.strategy.experimental_distribute_dataset(pipeline(pattern, (224, 224), self.batch, True))
        history = []
        for epoch in range(epochs):
            self.mean.reset_state()
            for x, y in ds:
                self.distributed(x, y)
            history.append(float(self.mean.result()))
            self.model.save_weights(f"{epoch:02d}.weights.h5")
        return history

    def predict(self, pattern):
        probs = self.model.predict(pipeline(pattern, (224, 224), self.batch, False))
        return np.argmax(probs, 1)


if __name__ == "__main__":
    t = Trainer(configure())
    print(t.fit("train-*.tfrecord", 10), t.predict("val-*.tfrecord"))
