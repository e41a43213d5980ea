# gradients that are multiplied by a number other than zero are still there

import torch
from torch import nn


def train(net, loader, optimizer, wanted):
    criterion = nn.CrossEntropyLoss()
    for x, y in loader:
        loss = criterion(net(x), y)
        loss.backward()  #! MEM121
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad.mul_(wanted / len(x))
        optimizer.step()
