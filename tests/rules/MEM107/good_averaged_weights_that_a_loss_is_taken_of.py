# a loss is taken of the averaged weights and runs backward through them: the graph is wanted

import torch
import torch.nn.functional as F


def train(net, optimizer, loader):
    slow = {name: p.clone() for name, p in net.named_parameters()}
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(net(x), y).backward()
        optimizer.step()
        for name, p in net.named_parameters():
            slow[name] = 0.9 * slow[name] + 0.1 * p
    penalty = sum((p - 1).square().sum() for p in slow.values())
    optimizer.zero_grad()
    penalty.backward()
    optimizer.step()
