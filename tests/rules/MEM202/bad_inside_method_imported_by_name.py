# inside a method, imported by name

import torch
from torch import nn, no_grad


class Evaluator:
    def __init__(self, net):
        self.net = net

    def run(self, loader):
        no_grad()  #! MEM202
        self.net.eval()
        hits = 0
        for x, y in loader:
            hits += (self.net(x).argmax(1) == y).sum().item()
        return hits


print(Evaluator(nn.Linear(4, 2)).run([(torch.randn(3, 4), torch.zeros(3))]))
