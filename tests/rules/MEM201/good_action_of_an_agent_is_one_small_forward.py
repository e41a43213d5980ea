# one state at a time: the graph is small and goes with the expression

import gym
import torch
from torch import nn

env = gym.make("CartPole-v1")
q = nn.Linear(4, 2)
opt = torch.optim.Adam(q.parameters())
state = env.reset()
for t in range(10000):
    action = q(torch.tensor(state)).argmax().item()
    state, reward, done, _ = env.step(action)
    loss = (q(torch.tensor(state)).max() - reward) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
