# trainer class that owns its meters in a dictionary

import torch
from torch import nn


class Tracker:
    def __init__(self):
        self.values = []

    def log(self, value):
        self.values.append(value)

    def last(self):
        return float(self.values[-1])


class Trainer:
    def __init__(self, net):
        self.net = net
        self.optim = torch.optim.Adam(net.parameters())
        self.tracker = Tracker()

    def step(self, x, y):
        self.optim.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), y)
        loss.backward()
        self.optim.step()
        self.tracker.log(loss)  #! MEM105 warning

    def run(self, n):
        for _ in range(n):
            self.step(torch.randn(4, 3), torch.randn(4, 1))
        print(self.tracker.last())


if __name__ == "__main__":
    Trainer(nn.Linear(3, 1)).run(50)
