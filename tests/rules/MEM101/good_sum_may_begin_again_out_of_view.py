# a base or a hook that is not in view may begin the sum again before each step

import torch
from elsewhere import Trainer
from torch import nn

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


class Derived(Trainer):
    def fit(self, loader):
        for x in loader:
            self.begin_step()
            loss = net(x).sum()
            self.total = self.total + loss
            optimizer.zero_grad()
            self.total.backward()
            optimizer.step()


class Hooked:
    def __init__(self, hooks):
        self.hooks = hooks
        self.total = 0

    def fit(self, loader):
        for x in loader:
            self.hooks.before_step(self)
            loss = net(x).sum()
            self.total = self.total + loss
            optimizer.zero_grad()
            self.total.backward()
            optimizer.step()
