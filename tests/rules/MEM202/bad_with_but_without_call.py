# with, but without the call

import torch


def evaluate(model, loader):
    correct = 0
    with torch.no_grad:  #! MEM202
        for x, y in loader:
            correct += (model(x).argmax(1) == y).sum().item()
    return correct
