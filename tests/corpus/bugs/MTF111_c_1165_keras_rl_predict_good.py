import gymnasium as gym
import numpy as np
from sklearn.linear_model import LogisticRegression
from tensorflow import keras


class A2C:
    def __init__(self, env):
        self.env = env
        self.actor = keras.Sequential([keras.layers.Dense(env.action_space.n, "softmax")])

    def act(self, state):
        p = self.actor(state[None], training=False).numpy()[0]
        return np.random.choice(len(p), p=p)

    def play(self, episodes):
        for _ in range(episodes):
            s, _ = self.env.reset()
            done = False
            while not done:
                s, r, done, trunc, _ = self.env.step(self.act(s))


def progress(model, ds, val, epochs):
    for e in range(epochs):
        model.fit(ds, epochs=1)
        print(e, model.predict(val).mean())


def linear(rows, y):
    clf = LogisticRegression().fit(rows, y)
    return [clf.predict(r[None]) for r in rows]


if __name__ == "__main__":
    A2C(gym.make("CartPole-v1")).play(500)
