# the same test opens the iteration with zero_grad and ends it with the step: three of four batches are lost

import torch


def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        if i % 4 == 0:
            optimizer.zero_grad()  #! MEM124 error
        loss = criterion(model(x), y) / 4
        loss.backward()
        if i % 4 == 0 or i + 1 == len(loader):
            optimizer.step()
