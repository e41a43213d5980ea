# the log takes numbers of them

import torch
from torch import nn


class Router(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(64, 8)

    def forward(self, x):
        shares = self.gate(x).softmax(-1)
        self.load = {"mean": shares.mean(), "peak": shares.amax()}
        return shares


def run(loader):
    net = Router().cuda()
    optimizer = torch.optim.Adam(net.parameters())
    log = []
    for x, y in loader:
        loss = (net(x.cuda()) - y.cuda()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.append({name: value.item() for name, value in net.load.items()})
    return log
