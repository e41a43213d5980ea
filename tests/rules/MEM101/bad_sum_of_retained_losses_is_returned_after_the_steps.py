# the step changes the weights, so that no caller can differentiate the sum; retain_graph=True keeps all of it

import torch


def run_epoch(net, loader, optimizer, criterion, train):
    total = 0.0
    for x, y in loader:
        loss = criterion(net(x), y)
        if train:
            optimizer.zero_grad()
            loss.backward(retain_graph=True)
            optimizer.step()
        total += loss  #! MEM101
    return total / len(loader)
