# the caller makes a model for each call, so nothing trains the best one further

import torch
import torch.nn.functional as F
from torch import nn


class Search:
    def __init__(self, loader):
        self.loader = loader
        self.lowest = float("inf")
        self.best_model = None

    def run(self):
        for width in (256, 512, 1024):
            net = nn.Sequential(nn.Linear(784, width), nn.ReLU(), nn.Linear(width, 10))
            optimizer = torch.optim.Adam(net.parameters())
            for x, y in self.loader:
                optimizer.zero_grad()
                F.cross_entropy(net(x), y).backward()
                optimizer.step()
            self.judge(net)

    @torch.no_grad()
    def judge(self, model):
        loss = sum(F.cross_entropy(model(x), y).item() for x, y in self.loader)
        if loss < self.lowest:
            self.lowest = loss
            self.best_model = model
