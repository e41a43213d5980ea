import copy
import random

import torch
from torch import nn


class DQN:
    def __init__(self, obs, act, gamma=0.99):
        self.q = nn.Sequential(nn.Linear(obs, 128), nn.ReLU(), nn.Linear(128, act))
        self.target = copy.deepcopy(self.q)
        self.opt = torch.optim.Adam(self.q.parameters(), 1e-4)
        self.gamma, self.memory = gamma, []

    def train_step(self, batch):
        s, a, r, s2, done = (torch.stack(v) for v in zip(*random.sample(self.memory, batch)))
        q = self.q(s).gather(1, a[:, None]).squeeze(1)
        best = self.target(s2).max(1)[0].detach()  #! MEM203
        loss = nn.functional.smooth_l1_loss(q, r + self.gamma * best * (1 - done))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()

    def train(self, steps):
        for i in range(steps):
            self.train_step(64)
            if i % 1000 == 0:
                self.target.load_state_dict(self.q.state_dict())
