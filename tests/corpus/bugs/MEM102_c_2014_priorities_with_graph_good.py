# Deep Q learning from prioritised memory; the memory keeps a priority for each transition.
import random

import torch
from torch import nn, optim


class PrioritisedMemory:
    def __init__(self, capacity, width):
        self.states = torch.zeros(capacity, width)
        self.rewards = torch.zeros(capacity)
        self.priorities = [1.0] * capacity
        self.capacity = capacity
        self.index = 0

    def append(self, state, reward):
        self.states[self.index] = state
        self.rewards[self.index] = reward
        self.index = (self.index + 1) % self.capacity

    def sample(self, n):
        weights = [float(p) for p in self.priorities]
        idxs = random.choices(range(self.capacity), weights, k=n)
        return idxs, self.states[idxs], self.rewards[idxs]

    def update_priorities(self, idxs, priorities):
        for i, priority in zip(idxs, priorities):
            self.priorities[i] = priority.abs() + 1e-3  #= MEM102 #= MEM116


class Agent:
    def __init__(self, width):
        self.online_net = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, 1))
        self.optimiser = optim.Adam(self.online_net.parameters(), lr=6.25e-5, eps=1.5e-4)

    def learn(self, mem):
        idxs, states, rewards = mem.sample(32)
        loss = (self.online_net(states).squeeze(1) - rewards).pow(2)
        self.online_net.zero_grad()
        loss.mean().backward()
        self.optimiser.step()
        mem.update_priorities(idxs, loss.detach().cpu().numpy())


mem, dqn = PrioritisedMemory(1000, 4), Agent(4)
for t in range(5000):
    state = torch.randn(4)
    mem.append(state, state.sum())
    if t >= 1000 and t % 4 == 0:
        dqn.learn(mem)
