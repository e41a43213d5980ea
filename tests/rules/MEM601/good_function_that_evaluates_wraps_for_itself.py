# the function that evaluates wraps for itself

import torch
from torch import nn


def train(net, batches):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in batches:
        optimizer.zero_grad()
        net(x.cuda()).sum().backward()
        optimizer.step()


@torch.no_grad()
def evaluate(net, batches):
    fast = nn.DataParallel(net)
    return [fast(x.cuda()).argmax(1).cpu() for x in batches]
