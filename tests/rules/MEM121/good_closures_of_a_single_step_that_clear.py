# closures that clear the gradients themselves, and one that Adam runs once

import torch
from torch import nn


def solve(net, x, y):
    opt = torch.optim.LBFGS(net.parameters(), max_iter=500)

    def closure():
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        return loss

    opt.step(closure)


def by_the_network(net, x, y):
    opt = torch.optim.LBFGS(net.parameters())

    def closure():
        net.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        if loss.requires_grad:
            loss.backward()
        return loss

    opt.step(closure)


def once(net, x, y):
    opt = torch.optim.Adam(net.parameters())

    def closure():
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        return loss

    opt.step(closure)
