# layers that ran on cuDNN alone

import tensorflow as tf
from keras.layers import CuDNNGRU  #! MTF101


class Tagger:
    def __init__(self, units, use_cudnn):
        self.units, self.use_cudnn = units, use_cudnn

    def cell(self):
        if self.use_cudnn:
            return tf.keras.layers.CuDNNLSTM(self.units, return_sequences=True)  #! MTF101
        return tf.keras.layers.LSTM(self.units, return_sequences=True)

    def last(self):
        return CuDNNGRU(self.units)
