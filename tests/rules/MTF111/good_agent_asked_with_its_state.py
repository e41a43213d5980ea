# agents have a predict of their own: it takes a state, and gives an action and the next state

import tensorflow as tf


def play(model, env, episodes):
    tf.random.set_seed(1)
    for _ in range(episodes):
        obs, done, state = env.reset(), False, None
        while not done:
            action, state = model.predict(obs, state=state, deterministic=True)
            obs, _, done, _ = env.step(action)
