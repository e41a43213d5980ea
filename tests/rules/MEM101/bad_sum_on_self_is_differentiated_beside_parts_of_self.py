# parts of the object and methods that are in view leave its sum alone

import torch
from elsewhere import Trainer
from torch import nn


class Derived(Trainer):
    def __init__(self, make):
        self.net = nn.Linear(2, 2)
        self.part = make()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.total = 0

    def look(self, x):
        return x

    def fit(self, loader):
        for x in loader:
            loss = self.net(self.part(self.look(x))).sum()
            self.total = self.total + loss  #! MEM101 error
            self.optimizer.zero_grad()
            self.total.backward()
            self.optimizer.step()
