"""Evaluation of modules whose weights stand in the class, or come from outside."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.act = nn.GELU()
        self.scale = nn.Parameter(torch.ones(width))
    def forward(self, x):
        return self.act(x) * self.scale


class Wrapped(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.act = nn.ReLU()
    def forward(self, x):
        return self.act(self.inner(x))


def evaluate(pairs, net):
    net = Wrapped(net)
    net.eval()
    scores = []
    for a, b in DataLoader(pairs, batch_size=8):
        scores.append(net(a.cuda()).mean())  #! MEM102 #! MEM201
    return sum(scores)


def validate(pairs):
    net = Block(4)
    net.eval()
    scores = []
    for a, b in DataLoader(pairs, batch_size=8):
        scores.append(net(a.cuda()).mean())  #! MEM102 #! MEM201
    return sum(scores)
