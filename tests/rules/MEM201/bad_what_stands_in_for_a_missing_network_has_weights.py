# The network that stands in for a missing one has weights; where it is none at all, callers give theirs.

import torch


class Judge:
    def __init__(self, net=None):
        self.net = net or torch.nn.Linear(8, 2)
        self.net.eval()

    def evaluate(self, loader):
        total = 0
        for x in loader:
            total += self.net(x.cuda()).mean().item()  #! MEM201 error
        return total


class Head:
    def __init__(self, net=None):
        self.net = net or torch.nn.Identity()
        self.net.eval()

    def evaluate(self, loader):
        total = 0
        for x in loader:
            total += self.net(x.cuda()).mean().item()  #! MEM201 error
        return total
