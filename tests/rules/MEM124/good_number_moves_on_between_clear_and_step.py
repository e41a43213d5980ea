# the counter grows between the two tests: the first opens a window, the second ends it

import torch


def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    seen = 0
    for x, y in loader:
        if seen % 4 == 0:
            optimizer.zero_grad()
        loss = criterion(model(x), y) / 4
        loss.backward()
        seen += 1
        if seen % 4 == 0 or seen == len(loader):
            optimizer.step()
