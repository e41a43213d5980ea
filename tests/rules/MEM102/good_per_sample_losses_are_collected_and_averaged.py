# per-sample losses are collected and averaged for one backward by a helper

import torch
import torch.nn.functional as F


def optimise(losses, optimizer):
    optimizer.zero_grad()
    total = torch.stack(losses).mean()
    total.backward()
    optimizer.step()


net = torch.nn.Linear(4, 2)
opt = torch.optim.Adam(net.parameters())
pending = []
for i in range(64):
    pending.append(F.cross_entropy(net(torch.randn(1, 4)), torch.zeros(1, dtype=torch.long)))
    if len(pending) == 8:
        optimise(pending, opt)
        pending = []
