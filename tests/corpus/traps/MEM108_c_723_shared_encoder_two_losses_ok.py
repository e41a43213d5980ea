import torch
from torch import nn


class MultiTask:
    def __init__(self, trunk, heads, lr):
        self.trunk, self.heads = trunk, nn.ModuleDict(heads)
        self.opt_trunk = torch.optim.SGD(trunk.parameters(), lr)
        self.opt_heads = torch.optim.SGD(self.heads.parameters(), lr)

    def step(self, x, targets):
        shared = self.trunk(x)
        self.opt_trunk.zero_grad()
        self.opt_heads.zero_grad()
        names = list(targets)
        norms = {}
        for k, name in enumerate(names):
            loss = nn.functional.mse_loss(self.heads[name](shared), targets[name])
            loss.backward(retain_graph=k < len(names) - 1)
            norms[name] = loss.item()
        self.opt_trunk.step()
        self.opt_heads.step()
        return norms


def loop(task, loader):
    for x, targets in loader:
        task.step(x, targets)
