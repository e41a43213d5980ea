"""Functions and classes of today's Keras that are called like the modules of old, and a module of one's own."""

from keras.layers import add, concatenate
from keras.layers import BatchNormalization as normalization
from keras.utils import to_categorical
from mylib.keras.layers import core

import tensorflow as tf

x = tf.keras.Input((4,))
y = add([tf.keras.layers.Dense(4)(x), core.Gate()(x)])
model = tf.keras.Model(x, normalization()(concatenate([x, y])))
model.fit(tf.zeros((10, 4)), to_categorical([1, 2]), epochs=2)
