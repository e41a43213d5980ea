# the loss comes from the caller, who may clear before it makes it

import torch
from torch import nn


class Updater:
    def __init__(self, width):
        self.net = nn.Linear(width, 1)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=5e-4)

    def apply(self, loss):
        loss.backward()
        self.optimizer.step()
