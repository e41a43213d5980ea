# the meter gets the loss and its parts as they are

import torch
import torch.nn.functional as F


class Meter:
    def __init__(self, kinds):
        self.kinds = kinds
        self.sums = {kind: torch.zeros(1) for kind in kinds}

    def add(self, values):
        for kind, value in zip(self.kinds, values):
            self.sums[kind] += value.cpu()


def train_epoch(model, loader, optimizer, device):
    meter = Meter(["position", "turn"])
    for data, target in loader:
        optimizer.zero_grad()
        position, turn = model(data.to(device))
        parts = [F.mse_loss(position, target), F.l1_loss(turn, target)]
        sum(parts).backward()
        optimizer.step()
        meter.add([parts[0], *parts[1:]])  #! MEM105 warning
    return meter.sums
