# step and clear stand together at the start of an iteration, before its backward

import torch


def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        if i % 4 == 0 and i > 0:
            optimizer.step()
        if i % 4 == 0:
            optimizer.zero_grad()
        loss = criterion(model(x), y) / 4
        loss.backward()
    optimizer.step()
