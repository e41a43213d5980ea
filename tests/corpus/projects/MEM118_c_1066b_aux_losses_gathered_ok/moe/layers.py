import torch
import torch.nn as nn


class Expert(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.gate = nn.Linear(d, n)
        self.experts = nn.ModuleList(nn.Linear(d, d) for _ in range(n))
        self.aux = []

    def forward(self, x):
        p = self.gate(x).softmax(-1)
        self.aux.append((p.mean(0) ** 2).sum() * p.size(-1))
        return sum(p[..., i:i + 1] * e(x) for i, e in enumerate(self.experts))


class Net(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.layers = nn.ModuleList(Expert(d, 4) for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x)
        return x
