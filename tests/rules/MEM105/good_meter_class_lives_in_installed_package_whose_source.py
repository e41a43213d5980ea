# the meter's class lives in an installed package, whose source is not at hand

import torch
from torchnet.meter import AverageValueMeter


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    meter = AverageValueMeter()
    for x in loader:
        loss = model(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.update(loss)
    return meter


class Config:
    lr = 0.1
