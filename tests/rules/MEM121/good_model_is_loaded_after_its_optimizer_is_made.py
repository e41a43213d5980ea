# the optimizer keeps the old parameters, of which no backward here makes gradients: it has none to clear

import torch
from torch import nn
from zoo import build

batches = torch.utils.data.DataLoader(torch.randn(64, 4))


def fit():
    net = nn.Linear(4, 2)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    net = torch.load("best.pt", weights_only=False, map_location="cpu")
    for x in batches:
        net(x).mean().backward()
        opt.step()


class Trainer:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.opt = torch.optim.SGD(self.net.parameters(), 0.1)
        self.net = build()

    def run(self):
        for x in batches:
            self.net(x).mean().backward()
            self.opt.step()


fit()
Trainer().run()
