# method of an agent: two critics without a common part

import torch
import torch.nn.functional as F
from torch import nn


class Critics:
    def __init__(self, obs, act):
        self.q1 = nn.Sequential(nn.Linear(obs + act, 32), nn.ReLU(), nn.Linear(32, 1))
        self.q2 = nn.Sequential(nn.Linear(obs + act, 32), nn.ReLU(), nn.Linear(32, 1))
        self.opt1 = torch.optim.Adam(self.q1.parameters(), lr=1e-3)
        self.opt2 = torch.optim.Adam(self.q2.parameters(), lr=1e-3)

    def update(self, s, a, target):
        x = torch.cat([s, a], dim=-1)
        loss1 = F.mse_loss(self.q1(x), target)
        loss2 = F.mse_loss(self.q2(x), target)
        self.opt1.zero_grad()
        loss1.backward(retain_graph=True)  #! MEM108
        self.opt1.step()
        self.opt2.zero_grad()
        loss2.backward()
        self.opt2.step()

    def learn(self, memory, rounds):
        for _ in range(rounds):
            s, a, target = memory()
            self.update(s, a, target)


Critics(4, 2).learn(lambda: (torch.randn(8, 4), torch.randn(8, 2), torch.randn(8, 1)), 30)
