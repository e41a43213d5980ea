"""Character RNN, written for the old API."""
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import LSTM, Dense
from tensorflow.keras.models import Sequential


def limit_gpu(share):
    cfg = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=share))  #! MTF101
    return tf.Session(config=cfg)  #! MTF101


limit_gpu(0.3)
rnn = Sequential()
rnn.add(LSTM(32, input_shape=(20, 8)))
rnn.add(Dense(8, activation="softmax"))
rnn.compile(loss="categorical_crossentropy", optimizer="adam")
rnn.fit_generator(((np.zeros((4, 20, 8)), np.zeros((4, 8))) for _ in range(50)), steps_per_epoch=50)  #! MTF101
