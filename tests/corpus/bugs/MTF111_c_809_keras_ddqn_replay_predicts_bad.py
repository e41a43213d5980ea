import random
from collections import deque

import gym
import numpy as np
from keras.layers import Dense
from keras.models import Sequential


class DDQN:
    def __init__(self, n_state, n_action):
        self.mem = deque(maxlen=2000)
        self.online = self.net(n_state, n_action)
        self.target = self.net(n_state, n_action)

    def net(self, n_state, n_action):
        m = Sequential([Dense(24, input_shape=(n_state,), activation="relu"), Dense(n_action)])
        m.compile("adam", "mse")
        return m

    def choose(self, s):
        q = self.online.predict(s.reshape(1, -1))  #! MTF111
        return int(np.argmax(q[0]))


def main():
    env = gym.make("CartPole-v1")
    agent = DDQN(4, 2)
    for ep in range(500):
        s = env.reset()
        for t in range(200):
            a = agent.choose(s)
            s, r, done, info = env.step(a)
            if done:
                break


main()
