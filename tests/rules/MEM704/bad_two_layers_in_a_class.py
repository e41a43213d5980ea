# two layers may be of any size

import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.first, self.last = nn.Linear(dim, hidden), nn.Linear(hidden, 1)

    def forward(self, x):
        return self.last(self.first(x).relu())


def train(x, y, dim, hidden, epochs):
    net = Net(dim, hidden).to("cuda")
    optimizer = torch.optim.AdamW(net.parameters())
    best, best_net = float("inf"), None
    for epoch in range(epochs):
        optimizer.zero_grad()
        loss = (net(x) - y).square().mean()
        loss.backward()
        optimizer.step()
        if loss.item() < best:
            best = loss.item()
            best_net = copy.deepcopy(net)  #! MEM704 warning
    return best_net
