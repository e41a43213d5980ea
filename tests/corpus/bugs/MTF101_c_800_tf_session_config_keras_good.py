"""Character RNN."""
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import LSTM, Dense
from tensorflow.keras.models import Sequential


def limit_gpu(megabytes):
    for gpu in tf.config.list_physical_devices("GPU"):
        limits = [tf.config.LogicalDeviceConfiguration(memory_limit=megabytes)]
        tf.config.set_logical_device_configuration(gpu, limits)


limit_gpu(2048)
rnn = Sequential()
rnn.add(LSTM(32, input_shape=(20, 8)))
rnn.add(Dense(8, activation="softmax"))
rnn.compile(loss="categorical_crossentropy", optimizer="adam")
rnn.fit(((np.zeros((4, 20, 8)), np.zeros((4, 8))) for _ in range(50)), steps_per_epoch=50)
