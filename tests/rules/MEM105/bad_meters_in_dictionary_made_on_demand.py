# meters in a dictionary, made on demand

from collections import defaultdict

import torch
from torch import nn


class AverageMeter:
    def __init__(self):
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.sum = self.sum + val * n
        self.count = self.count + n


def train(model, loader, optimizer):
    meters = defaultdict(AverageMeter)
    for x, y in loader:
        out = model(x)
        loss = nn.functional.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meters["loss"].update(loss, x.size(0))  #! MEM105 warning
        meters["acc"].update((out.argmax(1) == y).float().mean().item(), x.size(0))
    return {k: float(m.sum) / m.count for k, m in meters.items()}


net = nn.Linear(6, 3)
data = [(torch.randn(4, 6), torch.randint(0, 3, (4,))) for _ in range(10)]
print(train(net, data, torch.optim.SGD(net.parameters(), lr=0.1)))
