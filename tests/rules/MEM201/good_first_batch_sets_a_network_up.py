# one batch makes the lazy parameters of a network, and its output is dropped

import torch
from torch import nn
from torch.utils.data import DataLoader


class Guide(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = nn.Sequential(nn.LazyConv2d(width, 3), nn.ReLU(), nn.LazyConv2d(width, 3))

    def forward(self, x):
        return self.encoder(x)


class Evaluator:
    def __init__(self, width):
        self.guide = Guide(width)

    def evaluate(self, data):
        loader = DataLoader(data, batch_size=64, pin_memory=True)
        for x, _ in loader:
            if self.cuda:
                x = x.cuda()
            self.guide(x)
            break
        return self.score(loader)

    def score(self, loader):
        total = 0.0
        with torch.no_grad():
            for x, y in loader:
                total += (self.model(x.cuda()) - y.cuda()).abs().sum().item()
        return total
