# what a network out of view gives beside its loss, in one of two ways to train

import torch
from torch.nn.parallel import DistributedDataParallel as DDP

from lib import KalmanWrapper, Model


class Trainer:
    def __init__(self, loader, kind):
        self.loader, self.kind = loader, kind
        self.model = DDP(Model())
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.totals = {}

    def step(self, x, y):
        if self.kind == "adam":
            self.optimizer.zero_grad()
            _, loss, more_loss = self.model(x, label=y)
            loss.backward()
            self.optimizer.step()
        else:
            kalman = KalmanWrapper(self.model, self.optimizer)
            energy = kalman.update_energy(x, y)
            loss, more_loss = self.model.module.loss["energy"]({"energy": energy}, y, 3)
        for item in more_loss:
            if item not in self.totals:
                self.totals[item] = 0.0
            self.totals[item] += more_loss[item]
        return self.validate(x, y)

    def validate(self, x, y):
        _, loss, more_loss = self.model.module(x, label=y)
        return {name: value.item() for name, value in more_loss.items()}

    def run(self):
        for x, y in self.loader:
            self.step(x, y)
