# Meters are made when a name turns up for the first time, and get numbers.
import collections

import torch
from torch import nn


class SmoothedValue:
    def __init__(self, window=20):
        self.deque = collections.deque(maxlen=window)
        self.total, self.count = 0.0, 0

    def update(self, value, n=1):
        self.deque.append(value)
        self.count += n
        self.total += value * n


class MetricLogger:
    def __init__(self):
        self.meters = {}

    def update(self, **kwargs):
        for k, v in kwargs.items():
            if isinstance(v, torch.Tensor):
                v = v.item()
            if k not in self.meters:
                self.meters[k] = SmoothedValue()
            self.meters[k].update(v)


logger, net = MetricLogger(), nn.Linear(3, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(500):
    x = torch.randn(10, 3)
    loss = (net(x) - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    logger.update(loss=loss, lr=opt.param_groups[0]["lr"])
    if step % 100 == 0:
        recent = [float(m.deque[-1]) for m in logger.meters.values()]
        grads = []
        for p in net.parameters():
            grads.append(p.grad.norm())
        print(step, recent, torch.stack(grads).norm().item())
