# the mean reward comes from an environment that acts on numbers

import gym
import torch


def train(actor, buffer, steps):
    env, test_env = gym.make("Hopper-v4"), gym.make("Hopper-v4")
    optimizer = torch.optim.Adam(actor.parameters())
    rewards = []

    def test():
        total = 0
        observation, done = test_env.reset(), False
        while not done:
            with torch.no_grad():
                action = actor(torch.as_tensor(buffer.normalize(observation))).numpy()
            observation, reward, done, _ = (
                test_env.step(action[0]) if len(action.shape) > 1 else test_env.step(action)
            )
            total += reward
        return total / 10

    observation = env.reset()
    for step in range(steps):
        optimizer.zero_grad()
        actor(buffer.sample(64)).mean().backward()
        optimizer.step()
        if step % 1000 == 0:
            rewards.append(test())
    return rewards
