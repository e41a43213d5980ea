# whichever of the two it is, a copy is cast, and only saved

from copy import deepcopy

import torch
from torch import nn


class Trainer:
    def __init__(self, averaged, save_half):
        self.net, self.averaged, self.save_half = nn.Linear(8, 8), averaged, save_half
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def save(self, path):
        net = self.net
        if self.averaged is not None:
            net = self.averaged.ema
        if self.save_half:
            net = deepcopy(net).half()
        torch.save(net.state_dict(), path)

    def fit(self, batches, path):
        for x in batches:
            self.optimizer.zero_grad()
            self.net(x).mean().backward()
            self.optimizer.step()
            self.save(path)
