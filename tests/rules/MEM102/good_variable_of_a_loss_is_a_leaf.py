# Variable() of a tensor is detached from what made it

import torch
from torch.autograd import Variable


def train(net, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(net(Variable(x)), Variable(y))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(Variable(loss))
    return torch.stack(losses).mean()
