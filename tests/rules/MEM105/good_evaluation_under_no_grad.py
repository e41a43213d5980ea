# evaluation under no_grad

import torch


class Meter:
    def __init__(self):
        self.sum = 0

    def update(self, v):
        self.sum += v


def validate(model, loader, criterion):
    meter = Meter()
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            meter.update(criterion(model(x), y))
    return meter.sum
