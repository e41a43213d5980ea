# a class that is no Keras model makes the agent

import tensorflow as tf
from deepq import DQN


def show(env):
    tf.random.set_seed(1)
    model = DQN.load("agent.zip", env)
    obs, done = env.reset(), False
    while not done:
        action, _ = model.predict(obs)
        obs, _, done, _ = env.step(action)
