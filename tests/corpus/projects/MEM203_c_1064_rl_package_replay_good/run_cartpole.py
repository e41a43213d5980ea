import itertools

import gymnasium as gym
import torch

from agents.dqn import Agent


def main():
    env = gym.make("CartPole-v1")
    agent = Agent(env)
    returns = []
    for episode in range(600):
        obs, _ = env.reset()
        state = torch.tensor(obs).unsqueeze(0)
        total = 0.0
        for t in itertools.count():
            action = agent.act(state, 0.1)
            obs, reward, term, trunc, _ = env.step(action.item())
            nxt = torch.tensor(obs).unsqueeze(0)
            agent.memory.push(state, action, nxt, reward)
            agent.learn()
            state = nxt
            total += reward
            if term or trunc:
                break
        returns.append(total)


main()
