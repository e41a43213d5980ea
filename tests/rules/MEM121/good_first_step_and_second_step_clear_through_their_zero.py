# SAM: first_step and second_step clear through their zero_grad argument

import torch
from sam import SAM


def train(model, loader, criterion):
    optimizer = SAM(model.parameters(), torch.optim.SGD, lr=0.1)
    for x, y in loader:
        criterion(model(x), y).backward()
        optimizer.first_step(zero_grad=True)
        criterion(model(x), y).backward()
        optimizer.second_step(zero_grad=True)
