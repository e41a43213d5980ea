# The network inside is frozen, the layer that the wrapper adds is not.
import torch
from torch import nn


class Probe(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.head = nn.Linear(512, 10)

    def forward(self, x):
        return self.head(self.inner(x))


def score(net, loader):
    for p in net.parameters():
        p.requires_grad = False
    probe = Probe(net)
    hits = 0
    for x, y in loader:
        hits += (probe(x.cuda()).argmax(1) == y.cuda()).sum().item()  #! MEM201 warning
    return hits
