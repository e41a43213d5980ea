# the steps of an environment

import gymnasium as gym
import numpy as np
import tensorflow as tf

env = gym.make("CartPole-v1")
q_net = tf.keras.Sequential([tf.keras.layers.Dense(24, activation="relu"), tf.keras.layers.Dense(2)])
for episode in range(100):
    state, _ = env.reset()
    done = False
    while not done:
        action = int(np.argmax(q_net(state[None], training=False).numpy()[0]))
        state, reward, done, _, _ = env.step(action)
