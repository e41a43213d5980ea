# a helper clears the session

import gc

from tensorflow import keras
from tensorflow.keras import backend as K


def run(units):
    model = keras.Sequential([keras.layers.Dense(units)])
    model.compile("adam", "mse")
    model.fit([[1.0]], [[1.0]])
    forget()


def forget():
    K.clear_session()
    gc.collect()


for units in range(1, 100):
    run(units)
