# `lr` of torch, of an own class, of the optimizers that Keras 2 left behind, and a choice between both names

import keras
import torch
from keras.optimizers import Adam, legacy


class SGD:
    def __init__(self, lr):
        self.lr = lr


def make(params, rate):
    try:
        mine = Adam(learning_rate=rate)
    except TypeError:
        mine = Adam(lr=rate)
    return mine, torch.optim.Adam(params, lr=rate), SGD(lr=rate), legacy.Adam(lr=rate)


schedule = keras.callbacks.ReduceLROnPlateau(min_lr=1e-5)
