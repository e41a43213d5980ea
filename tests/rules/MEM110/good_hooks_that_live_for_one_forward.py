# list and hooks live for one call of forward

import torch
from torch import nn


class Pyramid(nn.Module):
    def __init__(self, trunk, head):
        super().__init__()
        self.trunk, self.head = trunk, head

    def forward(self, x):
        levels = []
        handles = [m.register_forward_hook(lambda m, a, out: levels.append(out)) for m in self.trunk]
        try:
            self.trunk(x)
        finally:
            for handle in handles:
                handle.remove()
        return self.head(levels)


def train(loader, opt):
    net = Pyramid(nn.Sequential(nn.Linear(4, 4)), nn.Identity())
    for x in loader:
        opt.zero_grad()
        net(x)[0].sum().backward()
        opt.step()
