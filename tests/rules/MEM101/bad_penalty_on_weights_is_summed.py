# penalties on the weights, however they are computed, are summed for the log after the loss that had them

import torch
from torch import nn


def train(model, loader, weight):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ridge, lasso, spread = 0, 0, 0
    for x, y in loader:
        optimizer.zero_grad()
        squares = sum((p**2).sum() for p in model.parameters())
        sizes = sum(torch.norm(p, 1) for p in model.parameters())
        wide = sum(p.std() for p in model.parameters())
        loss = nn.functional.mse_loss(model(x), y) + weight * (squares + sizes + wide)
        loss.backward()
        optimizer.step()
        ridge += squares  #! MEM101
        lasso += sizes  #! MEM101
        spread += wide  #! MEM101
    return ridge, lasso, spread


net = nn.Linear(20, 1)
train(net, [(torch.randn(8, 20), torch.randn(8, 1))] * 100, 1e-4)
