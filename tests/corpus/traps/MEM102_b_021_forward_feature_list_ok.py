import torch
from torch import nn


class DenseBlock(nn.Module):
    def __init__(self, n, c, g):
        super().__init__()
        self.layers = nn.ModuleList([nn.Conv2d(c + i * g, g, 3, padding=1) for i in range(n)])

    def forward(self, x):
        feats = [x]
        for l in self.layers:
            feats.append(torch.relu(l(torch.cat(feats, 1))))
        return torch.cat(feats, 1)


class Decoder(nn.Module):
    def __init__(self, d, v):
        super().__init__()
        self.cell, self.out = nn.GRUCell(d, d), nn.Linear(d, v)

    def forward(self, h, xs):
        logits = {}
        for t in range(xs.size(1)):
            h = self.cell(xs[:, t], h)
            logits[t] = self.out(h)
        return torch.stack([logits[t] for t in sorted(logits)], 1)
