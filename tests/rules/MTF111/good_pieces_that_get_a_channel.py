# an array of many patches goes through in some large pieces; the new axis is the channel

import numpy as np
from tensorflow import keras


def segment(patches, path, pieces):
    model = keras.models.load_model(path)
    parts = np.array_split(patches, pieces)
    for i in range(len(parts)):
        parts[i] = model.predict(parts[i][..., np.newaxis])[..., 0]
    return np.concatenate(parts, axis=0)


def segment_all(volumes, path):
    model = keras.models.load_model(path)
    found = []
    for volume in volumes:
        found.append(model.predict(np.expand_dims(volume, axis=-1)))
    return found
