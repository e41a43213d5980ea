# generator whose yields are collected by list()

import torch
from torch import nn


def training_losses(model, optimizer, steps):
    for _ in range(steps):
        x = torch.randn(8, 6)
        loss = (model(x) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss  #! MEM102 warning


model = nn.Linear(6, 6)
curve = list(training_losses(model, torch.optim.SGD(model.parameters(), lr=0.1), 400))
print(min(c.item() for c in curve))
