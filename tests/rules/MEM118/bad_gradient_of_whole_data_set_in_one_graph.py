# method of a trainer: the gradient of the whole data set in one graph

import torch
from torch import nn
from torch.utils.data import DataLoader


class FullBatch:
    def __init__(self, dataset):
        self.loader = DataLoader(dataset, batch_size=16)
        self.net = nn.Sequential(nn.Linear(7, 30), nn.Tanh(), nn.Linear(30, 1))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.5)

    def epoch(self):
        self.optimizer.zero_grad()
        loss = torch.zeros(())
        for x in self.loader:
            loss = loss + (self.net(x) - x.mean(1, keepdim=True)).pow(2).mean()  #! MEM118
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def run(self, epochs):
        return [self.epoch() for _ in range(epochs)]


FullBatch(torch.randn(128, 7)).run(4)
