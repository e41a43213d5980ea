# closure over a network that a factory builds

import torch
from torch import nn


class Siren(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width))
        self.last = nn.Linear(width, 1)

    def forward(self, xy):
        return self.last(torch.sin(self.body(xy)))


def build(width):
    return Siren(width).double()


field = build(128)
sgd = torch.optim.SGD(field.last.parameters(), lr=0.5)  #! MEM205 warning


def make_step(target):
    def step(points):
        error = (field(points) - target(points)).square().mean()
        sgd.zero_grad()
        error.backward()
        sgd.step()

    return step


step = make_step(lambda p: p.sum(1, keepdim=True))
for _ in range(50):
    step(torch.rand(64, 2, dtype=torch.float64))
