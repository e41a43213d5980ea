# the decorator switches recording off for the whole function, with or without parentheses

import torch


@torch.no_grad
def test(net, loader, criterion):
    test_loss = 0.0
    for data, target in loader:
        test_loss += criterion(net(data), target)
    return test_loss


@torch.inference_mode()
def score(net, loader):
    s = torch.zeros(1)
    for data in loader:
        s += net(data).sum()
    return s
