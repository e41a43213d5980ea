# another method gives the object that computes the loss its optimizer before anything runs

import torch
from torch import nn


class Compute:
    def __init__(self, criterion, optimizer=None):
        self.criterion = criterion
        self.optimizer = optimizer

    def attach(self, optimizer):
        self.optimizer = optimizer

    def __call__(self, out, y):
        loss = self.criterion(out, y)
        if self.optimizer is not None:
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()


def run_epoch(net, loader, compute):
    total = 0
    for x, y in loader:
        total += compute(net(x), y)
    return total


def main(valid_loader):
    net = nn.Linear(3, 3)
    net.eval()
    compute = Compute(nn.CrossEntropyLoss())
    compute.attach(torch.optim.Adam(net.parameters()))
    print(run_epoch(net, valid_loader, compute))
