import random
import numpy as np
from tensorflow import keras
from .memory import ReplayMemory


class DQNAgent:
    def __init__(self, n_obs, n_act):
        self.memory = ReplayMemory(2000)
        self.model = self._build(n_obs, n_act)
        self.target = self._build(n_obs, n_act)

    def _build(self, n, k):
        m = keras.Sequential([keras.layers.Dense(24, activation="relu"), keras.layers.Dense(k)])
        m.compile(loss="mse", optimizer="adam")
        return m

    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(4)
        return int(np.argmax(self.model.predict(s[None])[0]))  #! MTF111

    def replay(self, n):
        for s, a, r, s2, d in self.memory.sample(n):
            t = self.model.predict(s[None])  #! MTF111
            t[0][a] = r if d else r + 0.9 * np.amax(self.target.predict(s2[None])[0])  #! MTF111
            self.model.fit(s[None], t, verbose=0)
        keras.backend.clear_session()  #! MTF106
