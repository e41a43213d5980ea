# What an evaluation gives back: the inputs of its best epoch, and in a list of their own what became of them.

import torch
from torch.utils.data import DataLoader


def fit(net, optimizer, criterion, train_set, test_set, epochs):
    test_loader = DataLoader(test_set, batch_size=64)
    lowest, inputs, outputs = float("inf"), [], []
    for _ in range(epochs):
        for x, y in DataLoader(train_set, batch_size=64, shuffle=True):
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        total, seen, made = 0.0, [], []
        with torch.no_grad():
            for x, y in test_loader:
                out = net(x)
                total += criterion(out, y).item()
                seen.append((x, y))
                made.append(out)
        if total < lowest:
            lowest, inputs, outputs = total, seen, made
    return net, inputs, outputs


@torch.no_grad()
def reconstructions(net, test_set):
    images, rebuilt = [], []
    for batch in DataLoader(test_set, batch_size=64):
        images.append(batch)
        rebuilt.append(net(batch).cpu())
    return images, rebuilt
