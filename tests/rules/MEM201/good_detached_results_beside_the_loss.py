# the same forward pass serves the loss; a detached part of it is a target

import torch
import torch.nn.functional as F


def train(net, optimizer, loader):
    for x, y in loader:
        out = net(x)
        sure = out.detach().softmax(1)
        loss = F.cross_entropy(out, y) + F.mse_loss(net(x + 1).softmax(1), sure)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def with_targets(net, optimizer, loader):
    for x, y in loader:
        with torch.no_grad():
            target = net(x).softmax(1)
        loss = F.kl_div(net(x + 1).log_softmax(1), target) + F.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
