"""The module itself is imported, and its functions are called as members of it."""

import numpy as np
from keras.models import Sequential
from keras.layers import Dense
from keras.utils import np_utils  #! MTF101 error

model = Sequential([Dense(10)])
model.compile(loss="categorical_crossentropy", optimizer="sgd")
model.fit(np.zeros((10, 8)), np_utils.to_categorical(np.arange(10), 10), epochs=2)
