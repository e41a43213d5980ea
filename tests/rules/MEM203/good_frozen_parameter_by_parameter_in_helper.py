# frozen parameter by parameter, in a helper

import torch
from torch import nn


def freeze(module):
    for p in module.parameters():
        p.requires_grad = False


class Distiller:
    def __init__(self):
        self.teacher, self.student = nn.Linear(8, 3), nn.Linear(8, 3)
        freeze(self.teacher)
        self.opt = torch.optim.SGD(self.student.parameters(), lr=0.1)

    def step(self, x):
        loss = (self.student(x) - self.teacher(x)).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


d = Distiller()
for x in torch.randn(10, 4, 8):
    d.step(x)
