# Nothing calls the old network through its wrapper: its weights are read, and it is unwrapped for each use.

from copy import deepcopy

import torch
from torch import nn


def unwrap(network):
    return network.module if hasattr(network, "module") else network


class Client:
    def __init__(self, model):
        self.model, self.old, self.average = model, deepcopy(model), deepcopy(model)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def spread(self):
        self.old = nn.DataParallel(self.old, device_ids=[0, 1])
        self.average = nn.DataParallel(self.average, device_ids=[0, 1])

    def fit(self, loader):
        self.old.to("cuda")
        for x, y in loader:
            self.optimizer.zero_grad()
            near = unwrap(self.old).encoder(x)
            loss = nn.functional.mse_loss(self.model(x), y) + nn.functional.mse_loss(self.model(x), near)
            loss.backward()
            self.optimizer.step()
            for mine, theirs in zip(self.model.parameters(), self.average.parameters()):
                theirs.data.lerp_(mine.data, 0.1)
        self.old.cpu()
