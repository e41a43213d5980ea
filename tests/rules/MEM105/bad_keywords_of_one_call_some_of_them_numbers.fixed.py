# keywords of one call: numbers, a loss that was differentiated, and a norm that was not

from collections import defaultdict

import torch
from torch import nn


class History:
    def __init__(self):
        self.values = defaultdict(list)

    def log(self, **values):
        for name, value in values.items():
            self.values[name].append(value)


def run(net, loader, opt, criterion):
    history = History()
    for x, y in loader:
        opt.zero_grad()
        out = net(x)
        loss = criterion(out, y)
        loss.backward()
        opt.step()
        accuracy = (out.argmax(1) == y).float().mean()
        history.log(count=x.size(0), loss=loss.detach())
        history.log(accuracy=accuracy, loss=loss.detach(), norm=out.norm().detach(), count=len(x))
    return {name: float(sum(kept)) / len(kept) for name, kept in history.values.items()}


net = nn.Linear(10, 4)
loader = [(torch.randn(8, 10), torch.randint(0, 4, (8,))) for _ in range(20)]
print(run(net, loader, torch.optim.SGD(net.parameters(), lr=0.1), nn.CrossEntropyLoss()))
