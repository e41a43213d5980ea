# the loop is left at once: nothing trains these weights any more

import torch
from torch import nn


def fit(net, loader, validate, wanted):
    optimizer = torch.optim.Adam(net.parameters())
    best = None
    for epoch in range(100):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        loss = validate(net)
        if loss < wanted:
            best = net.state_dict()
            return best
    return best
