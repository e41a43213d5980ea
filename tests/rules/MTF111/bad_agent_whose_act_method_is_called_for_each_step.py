# an agent whose act method is called for each step

import random

import numpy as np
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential


class Agent:
    def __init__(self, size):
        self.memory = []
        self.model = self._build(size)

    def _build(self, size):
        model = Sequential()
        model.add(Dense(24, input_dim=size, activation="relu"))
        model.add(Dense(2))
        model.compile(loss="mse", optimizer="adam")
        return model

    def act(self, state):
        return np.argmax(self.model.predict(state)[0])  #! MTF111

    def replay(self, size):
        for state, target in random.sample(self.memory, size):
            target[0] = np.amax(self.model.predict(np.reshape(state, [1, 4])))  #! MTF111
            self.model.fit(state, target, verbose=0)


def play(env):
    agent = Agent(4)
    state, done = env.reset(), False
    while not done:
        state, done = env.step(agent.act(state))
    agent.replay(32)
