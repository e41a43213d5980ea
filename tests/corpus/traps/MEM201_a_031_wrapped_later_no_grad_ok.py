import torch
from torch import nn


def _evaluate(net, loader):
    net.eval()
    hits = n = 0
    for x, y in loader:
        hits += (net(x).argmax(-1) == y).sum().item()
        n += len(y)
    return hits / n


evaluate = torch.no_grad()(_evaluate)


def train(net, loader, val, steps):
    opt = torch.optim.SGD(net.parameters(), 0.1)
    it = iter(loader)
    for step in range(steps):
        try:
            x, y = next(it)
        except StopIteration:
            it = iter(loader)
            x, y = next(it)
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
        if step % 200 == 0:
            print(step, evaluate(net, val))
