"""Casting models and data to float16 by hand in a class."""
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers


class Half:
    def __init__(self):
        K.set_floatx("float16")  #! MTF114
        K.set_epsilon(1e-4)
        self.model = tf.keras.Sequential([layers.Conv2D(8, 3), layers.Flatten(), layers.Dense(10)])
        self.model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))

    def fit(self, ds):
        self.model.fit(ds, epochs=3)


def loop(ds):
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    model = tf.keras.Sequential([layers.Dense(64), layers.Dense(10, dtype="float32")])
    opt = tf.keras.optimizers.SGD(0.1)
    for x, y in ds:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(y, model(x), from_logits=True))
        g = tape.gradient(loss, model.trainable_variables)  #! MTF114
        opt.apply_gradients(zip(g, model.trainable_variables))
