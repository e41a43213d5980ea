# optimizers take the rate under its old name, by import, by module and in a function that makes the model

import tensorflow as tf
from keras import optimizers
from keras.optimizers import SGD
from tensorflow.keras.optimizers import Adam as Optimizer


def build(rate):
    net = tf.keras.Sequential([tf.keras.layers.Dense(4)])
    net.compile(loss="mse", optimizer=Optimizer(learning_rate=rate, beta_1=0.5))
    return net


opt = SGD(learning_rate=0.01, momentum=0.9)
other = optimizers.RMSprop(learning_rate=1e-3)
last = tf.optimizers.Adam(clipnorm=1.0, learning_rate=1e-4)
