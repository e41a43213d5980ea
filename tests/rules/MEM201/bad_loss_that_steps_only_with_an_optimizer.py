# the object that computes the loss runs backward only when it was given an optimizer: here it was not

import torch
from torch import nn


class Compute:
    def __init__(self, criterion, optimizer=None):
        self.criterion = criterion
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
        total += compute(net(x), y)  #! MEM201 error
    return total


def main(train_loader, valid_loader):
    net = nn.Linear(3, 3)
    optimizer = torch.optim.Adam(net.parameters())
    criterion = nn.CrossEntropyLoss()
    for _ in range(10):
        net.train()
        run_epoch(net, train_loader, Compute(criterion, optimizer))
        net.eval()
        print(run_epoch(net, valid_loader, Compute(criterion)))
