# The generator's results are used one at a time.
import torch
from torch import nn


def training(net, opt, steps):
    for i in range(steps):
        x = torch.randn(48, 16)
        loss = (net(x) - x.cos()).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield i, loss


net = nn.Linear(16, 16)
best = float("inf")
for i, loss in training(net, torch.optim.Adam(net.parameters()), 500):
    best = min(best, float(loss))
    if i % 100 == 0:
        print(i, loss.item(), best)
