# an environment variable, a configuration, a parameter

import os

import torch
from torch.utils.data import DataLoader

CONFIG = {"batch_size": 64}
size = int(os.environ.get("BATCH_SIZE", 64))


def train(net, opt, batch_size=64):
    data = torch.randn(500, 8)
    for loader in (
        DataLoader(data, batch_size=batch_size),
        DataLoader(data, batch_size=CONFIG["batch_size"]),
        DataLoader(data, batch_size=size),
    ):
        for x in loader:
            opt.zero_grad()
            net(x.cuda()).mean().backward()
            opt.step()


net = torch.nn.Linear(8, 1).cuda()
train(net, torch.optim.SGD(net.parameters(), lr=0.1))
