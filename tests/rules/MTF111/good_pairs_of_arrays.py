# one of the inputs is the whole data; the loops go through settings and models

import numpy as np
from tensorflow.keras.models import load_model


def sweep(path, rows, settings):
    net = load_model(path)
    return {name: net.predict([rows, value]) for name, value in settings.items()}


def vote(networks, picture):
    votes = [network.predict([np.expand_dims(picture, 0), np.ones((1, 4))]) for network in networks]
    return np.mean(votes, axis=0)
