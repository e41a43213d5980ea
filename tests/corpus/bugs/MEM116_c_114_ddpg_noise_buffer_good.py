import random
from collections import namedtuple

import gym
import torch
import torch.nn as nn

Transition = namedtuple("Transition", ("s", "a", "r", "s2", "d"))


class ReplayBuffer:
    def __init__(self, size):
        self.size, self.data = size, []

    def store(self, *args):
        if len(self.data) >= self.size:
            self.data.pop(0)
        self.data.append(Transition(*args))

    def sample(self, n):
        return random.sample(self.data, n)


env = gym.make("Pendulum-v1")
actor = nn.Sequential(nn.Linear(3, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())
buffer = ReplayBuffer(100000)
for ep in range(500):
    s = torch.tensor(env.reset()[0])
    for t in range(200):
        a = actor(s) + 0.1 * torch.randn(1)
        s2, r, d, _, _ = env.step(a.detach().numpy() * 2)
        s2 = torch.tensor(s2)
        buffer.store(s, a.detach(), r, s2, d)
        s = s2
