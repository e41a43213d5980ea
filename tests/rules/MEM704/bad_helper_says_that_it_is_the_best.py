# the helper returns after it has kept the weights: its caller goes on training

import torch
from torch import nn


class Trainer:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())
        self.best_loss = float("inf")
        self.best_weights = None

    def raw(self):
        return self.net.module if hasattr(self.net, "module") else self.net

    def is_best(self, loss):
        if loss < self.best_loss:
            self.best_loss = loss
            self.best_weights = self.raw().state_dict()  #! MEM704
            return True
        return False

    def fit(self, loader, validate):
        for epoch in range(100):
            for x, y in loader:
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.net(x), y).backward()
                self.optimizer.step()
            if self.is_best(validate(self.net)):
                print("best", epoch)
        self.raw().load_state_dict(self.best_weights)
