# What the layers note in a name at the top level is emptied after each step, list by list.
from collections import defaultdict

import torch
from torch import nn

MAPS = defaultdict(list)
USED = []


class Gate(nn.Module):
    def __init__(self, width, name):
        super().__init__()
        self.lin, self.name = nn.Linear(width, width), name

    def forward(self, x):
        gate = torch.sigmoid(self.lin(x))
        MAPS[self.name].append(gate)
        USED.append(gate.mean())
        return x * gate


net = nn.Sequential(Gate(8, "first"), nn.Linear(8, 8), Gate(8, "second"))
opt = torch.optim.Adam(net.parameters())
for step in range(200):
    x = torch.randn(16, 8)
    loss = (net(x) - x.abs()).pow(2).mean() + 0.01 * sum(USED)
    opt.zero_grad()
    loss.backward()
    opt.step()
    USED.clear()
    if step % 50 == 0:
        print({name: float(torch.stack(maps).mean()) for name, maps in MAPS.items()})
    for maps in MAPS.values():
        maps.clear()
