# members of torch.autograd that differentiate

import torch
from torch import autograd


def sensitivity(net, loader):
    net.eval()
    total = 0.0
    for x, _ in loader:
        x = torch.autograd.Variable(x, requires_grad=True)
        total += torch.autograd.grad(net(x).sum(), x)[0].abs().sum().item()
    return total


def curvature(net, loader):
    net.eval()
    total = 0.0
    for x, _ in loader:
        total += autograd.functional.jacobian(net, x).abs().sum().item()
        total += net(x).sum().item()
    return total
