# the files are models, each of which predicts one input

import os

import numpy as np
from tensorflow.keras.models import load_model


def compare(folder, picture):
    votes = []
    for name in os.listdir(folder):
        model = load_model(os.path.join(folder, name))
        votes.append(model.predict(np.expand_dims(picture, 0), verbose=0)[0])
    return np.mean(votes, axis=0)
