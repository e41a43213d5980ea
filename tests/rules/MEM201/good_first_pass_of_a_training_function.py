# a loop before the training gathers statistics of the network; the loss of the later loop is trained through

import torch
from torch import nn


def fit(net, loader, more, opt):
    for x, _ in loader:
        net.scale(x)
    for x, y in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
    opt.zero_grad()
    lost = 0.0
    for x, y in more:
        lost = lost + nn.functional.cross_entropy(net(x), y)
    lost.backward()
    opt.step()
