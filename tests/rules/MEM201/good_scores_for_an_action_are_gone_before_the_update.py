# the scores are local to the method that acts: their small graph is gone when it returns

import gym
import torch
from torch import nn


class Agent:
    def __init__(self):
        self.q = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 2))
        self.opt = torch.optim.Adam(self.q.parameters())

    def act(self, state):
        scores = self.q(torch.as_tensor(state))
        return scores.argmax().item()

    def learn(self, state, reward):
        loss = (self.q(torch.as_tensor(state)).max() - reward) ** 2
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


env = gym.make("CartPole-v1")
agent, state = Agent(), env.reset()
for t in range(10_000):
    state, reward, done, _ = env.step(agent.act(state))
    agent.learn(state, reward)
