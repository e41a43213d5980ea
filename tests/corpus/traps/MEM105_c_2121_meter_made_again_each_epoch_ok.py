# Meters for an epoch's sake, made again with each, with detached tensors in them.
import torch
from torch import nn


class Mean:
    def __init__(self):
        self.total, self.n = torch.zeros(()), 0

    def __iadd__(self, value):
        self.total += value.detach()
        self.n += 1
        return self

    def __float__(self):
        return float(self.total / max(self.n, 1))


net = nn.Linear(12, 2)
opt = torch.optim.Adam(net.parameters())
for epoch in range(3):
    meters = {name: Mean() for name in ("loss", "acc")}
    for _ in range(100):
        x = torch.randn(20, 12)
        y = (x[:, 0] > 0).long()
        out = net(x)
        loss = nn.functional.cross_entropy(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        meters["loss"] += loss
        meters["acc"] += (out.argmax(1) == y).float().mean()
    print(epoch, {name: float(m) for name, m in meters.items()})
