"""A function takes one step of training and predicts again; both branches of a loop call it."""

import numpy as np
from tensorflow import keras


def build():
    model = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(4)])
    model.compile("sgd", "mse")
    return model


def episode(bandits, model, odds=None, train=True):
    pulled = int(np.argmax(odds)) if odds is not None else 0
    action = keras.utils.to_categorical(pulled, 4)
    reward = bandits[pulled].pull()
    if train:
        model.train_on_batch(action, action * reward)
    return reward, model.predict(action)  #! MTF111 warning


def play(bandits, n):
    model, odds, rewards = build(), None, []
    for i in range(n):
        if i == 0:
            reward, odds = episode(bandits, model)
        else:
            reward, odds = episode(bandits, model, odds)
        rewards.append(reward)
    return rewards
