# a class that only sets up a layer without weights is none with weights: no graph begins there

import torch
from torch import nn


class FlattenTime(nn.Flatten):
    """Joins batch and time."""

    def __init__(self):
        super().__init__(start_dim=0, end_dim=1)


class Halve(nn.AvgPool2d):
    def __init__(self, size=2):
        super().__init__(size)

    def extra_repr(self):
        return "halves"


class Squash(nn.Tanh):
    pass


def score(model, loader, device):
    model.eval()
    join, halve, squash = FlattenTime(), Halve(), Squash()
    hits = 0
    for data, target in loader:
        data, target = data.to(device), target.to(device)
        data = squash(halve(FlattenTime()(join(data))))
        with torch.no_grad():
            output = model(data)
        hits += output.argmax(1).eq(target).sum().item()
    return hits
