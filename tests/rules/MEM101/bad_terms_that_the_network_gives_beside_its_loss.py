# the terms of the loss come out of the same forward, with their graphs, and the class shows it

import torch
from torch import nn
from data import loader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(64, 64)

    def forward(self, x, y):
        out = self.body(x)
        fit = (out - y).pow(2).mean()
        size = out.abs().mean()
        return fit + size, {"fit": fit, "size": size}


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
totals = {"fit": 0.0, "size": 0.0}
for x, y in loader:
    loss, logs = net(x, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    for k in logs:
        totals[k] += logs[k]  #! MEM101
print(totals)
