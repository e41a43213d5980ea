# trainer class with the state on self, cleared only in the constructor

import torch
from torch import nn


class StreamTrainer:
    def __init__(self, lr=0.05):
        self.cell = nn.GRUCell(3, 10)
        self.head = nn.Linear(10, 3)
        self.h = torch.zeros(1, 10)
        params = list(self.cell.parameters()) + list(self.head.parameters())
        self.optimizer = torch.optim.RMSprop(params, lr=lr)

    def step(self, x, y):
        self.h = self.cell(x, self.h)  #! MEM106 error
        loss = (self.head(self.h) - y).abs().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def run(self, stream):
        return [self.step(x, y) for x, y in stream]

    def fit(self, stream):
        curve = []
        for x, y in stream:
            curve.append(self.step(x, y))
        return curve


if __name__ == "__main__":
    points = torch.randn(80, 1, 3)
    print(StreamTrainer().fit(list(zip(points[:-1], points[1:])))[-1])
