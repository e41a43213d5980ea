# the loss is detached, the rest of what the loss function gives is handed on: it has no graphs

import torch


class Meter:
    def __init__(self, kinds):
        self.kinds = kinds
        self.sums = {kind: torch.zeros(1) for kind in kinds}

    def add(self, values):
        for kind, value in zip(self.kinds, values):
            self.sums[kind] += value.cpu()


def train_epoch(model, loader, optimizer, device, loss_fn):
    meter = Meter(["loss", "position", "turn"])
    for data in loader:
        optimizer.zero_grad()
        position, turn = model(data.to(device))
        parts = loss_fn(position, turn, data=data)
        if parts is None:
            continue
        loss = parts[0]
        loss.backward()
        optimizer.step()
        meter.add([loss.cpu().detach(), *parts[1:]])
    return meter.sums
