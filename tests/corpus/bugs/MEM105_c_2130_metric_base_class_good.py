# Metrics with a common base class; one of them sums tensors.
from abc import ABC, abstractmethod

import torch
from torch import nn


class Metric(ABC):
    def __init__(self):
        self.reset()

    @abstractmethod
    def reset(self): ...

    @abstractmethod
    def update(self, out, y, loss): ...

    @abstractmethod
    def compute(self): ...


class Loss(Metric):
    def reset(self):
        self._sum, self._n = 0.0, 0

    def update(self, out, y, loss):
        self._sum += loss.item() * len(y)
        self._n += len(y)

    def compute(self):
        return float(self._sum) / self._n


class Accuracy(Metric):
    def reset(self):
        self._hits, self._n = 0, 0

    def update(self, out, y, loss):
        self._hits += (out.argmax(1) == y).sum().item()
        self._n += len(y)

    def compute(self):
        return self._hits / self._n


def train(net, opt, batches, metrics):
    for metric in metrics:
        metric.reset()
    for x, y in batches:
        out = net(x)
        loss = nn.functional.cross_entropy(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        for metric in metrics:
            metric.update(out, y, loss)
    return [metric.compute() for metric in metrics]


net = nn.Sequential(nn.Linear(15, 60), nn.ReLU(), nn.Linear(60, 4))
opt = torch.optim.Adam(net.parameters())
data = [(torch.randn(32, 15), torch.randint(4, (32,))) for _ in range(200)]
for epoch in range(3):
    print(epoch, train(net, opt, data, [Loss(), Accuracy()]))
