"""What a 2019 tutorial leaves behind: contrib, keras backend sessions, generators."""
import tensorflow as tf
import tensorflow.keras.backend as K
from tensorflow.contrib import rnn  #! MTF101
from tensorflow.keras.models import Sequential


def limit(fraction=0.4):
    options = tf.GPUOptions(per_process_gpu_memory_fraction=fraction)  #! MTF101
    K.set_session(tf.Session(config=tf.ConfigProto(gpu_options=options)))  #! MTF101 #! MTF101 #! MTF101


def fit(gen, val):
    model = Sequential([tf.keras.layers.LSTM(8), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit_generator(generator=gen, validation_data=val, epochs=3, workers=4)  #! MTF101
    tf.config.gpu.set_per_process_memory_growth(True)  #! MTF101
    return rnn
