import numpy as np
from keras import mixed_precision
from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential

mixed_precision.set_global_policy("mixed_float16")
m = Sequential()
m.add(Conv2D(8, 3, input_shape=(28, 28, 1)))
m.add(Flatten())
m.add(Dense(10, activation="softmax", dtype="float32"))
m.compile("adam", "categorical_crossentropy")
m.fit(np.zeros((8, 28, 28, 1)), np.zeros((8, 10)))
