# The size is the same in each step, and so is the loader that gives one batch of all.

import torch
from torch.utils.data import DataLoader


def draw(data, size):
    loader = DataLoader(data, batch_size=size, num_workers=4)
    return next(iter(loader))  #! MEM405


def fit(model, optimizer, criterion, data, steps, batch_size=32):
    for _ in range(steps):
        x, y = draw(data, batch_size)
        optimizer.zero_grad()
        criterion(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
