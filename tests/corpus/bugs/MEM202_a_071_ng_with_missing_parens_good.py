import torch
import torch.nn as nn


class Meter:
    def __init__(self):
        self.v, self.n = 0.0, 0

    def add(self, v, n):
        self.v += v * n
        self.n += n


def validate(model, loader):
    meter = Meter()
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            out = model(x.cuda())
            meter.add(nn.functional.mse_loss(out, y.cuda()).item(), len(x))
    return meter.v / meter.n
