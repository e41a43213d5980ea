# a session with GPU options, handed to Keras

import tensorflow as tf
from keras import backend as K
from keras.layers import Dense
from keras.models import Sequential

config = tf.ConfigProto()  #! MTF101
config.gpu_options.per_process_gpu_memory_fraction = 0.4
session = tf.Session(config=config)  #! MTF101
K.set_session(session)  #! MTF101

net = Sequential([Dense(8, input_shape=(4,)), Dense(1)])
net.compile(optimizer="sgd", loss="mse")
