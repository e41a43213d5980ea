"""Actor-critic in gym: model.predict for each state; GAN notebook: predict inside the batch loop."""
import gymnasium as gym
import numpy as np
from tensorflow import keras


def make(n, m):
    model = keras.Sequential([keras.layers.Dense(24, activation="relu", input_shape=(n,)), keras.layers.Dense(m, "softmax")])
    model.compile("adam", "categorical_crossentropy")
    return model


class A2C:
    def __init__(self, env):
        self.env = env
        self.actor = make(env.observation_space.shape[0], env.action_space.n)

    def act(self, state):
        p = self.actor.predict(state[None], verbose=0)[0]  #! MTF111
        return np.random.choice(len(p), p=p)

    def play(self, episodes):
        for _ in range(episodes):
            s, _ = self.env.reset()
            done = False
            while not done:
                s, r, done, trunc, _ = self.env.step(self.act(s))  #= MTF111


def train_gan(generator, d, data, batch, epochs):
    for e in range(epochs):
        for i in range(0, len(data), batch):
            noise = np.random.normal(0, 1, (batch, 100))
            fake = generator.predict(noise)  #! MTF111
            d.train_on_batch(data[i:i + batch], np.ones(batch))
            d.train_on_batch(fake, np.zeros(batch))


if __name__ == "__main__":
    A2C(gym.make("CartPole-v1")).play(500)
