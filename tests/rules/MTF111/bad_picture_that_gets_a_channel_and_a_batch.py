# one picture gets a channel and becomes a batch of one

import numpy as np
from tensorflow import keras


def classify(pictures, path):
    model = keras.models.load_model(path)
    found = []
    for picture in pictures:
        batch = np.expand_dims(np.expand_dims(picture, -1), 0)
        found.append(model.predict(batch).argmax())  #! MTF111 warning
    return found


def classify_grey(pictures, path):
    model = keras.models.load_model(path)
    found = []
    for picture in pictures:
        found.append(model.predict(picture[np.newaxis, ..., np.newaxis]).argmax())  #! MTF111 warning
    return found
