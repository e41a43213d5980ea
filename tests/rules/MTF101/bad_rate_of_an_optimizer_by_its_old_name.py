# optimizers take the rate under its old name, by import, by module and in a function that makes the model

import tensorflow as tf
from keras import optimizers
from keras.optimizers import SGD
from tensorflow.keras.optimizers import Adam as Optimizer


def build(rate):
    net = tf.keras.Sequential([tf.keras.layers.Dense(4)])
    net.compile(loss="mse", optimizer=Optimizer(lr=rate, beta_1=0.5))  #! MTF101
    return net


opt = SGD(lr=0.01, momentum=0.9)  #! MTF101
other = optimizers.RMSprop(lr=1e-3)  #! MTF101
last = tf.optimizers.Adam(clipnorm=1.0, lr=1e-4)  #! MTF101
