# the network is a product with parameters, written in a method of its own

import torch
from torch import nn


class Ranker(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(width, 500))
        self.bias = nn.Parameter(torch.zeros(500))

    def scores(self, rows):
        return nn.functional.linear(rows, self.weight.T, self.bias)

    def fit(self, loader):
        opt = torch.optim.Adam(self.parameters())
        for rows, labels in loader:
            opt.zero_grad()
            nn.functional.cross_entropy(self.scores(rows), labels).backward()
            opt.step()

    def evaluate(self, loader):
        self.eval()
        right = 0
        for rows, labels in loader:
            right += (self.scores(rows).argmax(1) == labels).sum().item()  #! MEM201 error
        return right
