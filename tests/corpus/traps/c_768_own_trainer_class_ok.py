import torch
from torch import nn


class Trainer:
    """Not that of transformers."""

    def __init__(self, model, compute_metrics):
        self.model, self.compute_metrics = model, compute_metrics
        self.opt = torch.optim.Adam(model.parameters())

    def train(self, loader):
        for x, y in loader:
            self.opt.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.opt.step()

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        return [self.compute_metrics(self.model(x).argmax(1).tolist(), y.tolist()) for x, y in loader]


def accuracy(p, y):
    return sum(a == b for a, b in zip(p, y)) / len(y)


Trainer(nn.Linear(4, 2), compute_metrics=accuracy).train([(torch.randn(8, 4), torch.zeros(8).long())])
