"""Modules that Keras had until version 2.12, with what moved from them to the package above."""

import numpy as np
from keras.layers.core import Dense  #! MTF101 error
from keras.models import Sequential
from keras.utils.np_utils import to_categorical  #! MTF101 error
from tensorflow.keras.layers.normalization import BatchNormalization  #! MTF101 error

labels = to_categorical(np.arange(10), 10)
model = Sequential([BatchNormalization(), Dense(10)])
model.compile(loss="categorical_crossentropy", optimizer="sgd")
model.fit(np.zeros((10, 8)), labels, epochs=2)
