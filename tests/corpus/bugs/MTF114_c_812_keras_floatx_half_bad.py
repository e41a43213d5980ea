import keras.backend as K
import numpy as np
from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential

dtype = "float16"
K.set_floatx(dtype)  #! MTF114
K.set_epsilon(1e-4)
m = Sequential()
m.add(Conv2D(8, 3, input_shape=(28, 28, 1)))
m.add(Flatten())
m.add(Dense(10, activation="softmax"))
m.compile("adam", "categorical_crossentropy")
m.fit(np.zeros((8, 28, 28, 1)), np.zeros((8, 10)))
