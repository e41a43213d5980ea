# Keras on torch: its tensors have no `.numpy()` while they require gradients, so no fix is offered.

import os

os.environ["KERAS_BACKEND"] = "torch"

import gymnasium as gym
import keras
import numpy as np

net = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(2)])
env = gym.make("CartPole-v1")
state, _ = env.reset()
for step in range(1000):
    scores = net.predict(state[None], verbose=0)  #! MTF111
    state, *_ = env.step(int(np.argmax(scores[0])))
