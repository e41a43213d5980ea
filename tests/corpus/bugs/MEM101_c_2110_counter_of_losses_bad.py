# The terms of the loss are added up in a Counter.
from collections import Counter

import torch
from torch import nn


def detection_losses(net, x):
    out = net(x)
    return Counter(box=out[:, :4].abs().mean(), cls=out[:, 4:].logsumexp(1).mean(), obj=out[:, 4].square().mean())


def main():
    net = nn.Sequential(nn.Linear(30, 120), nn.ReLU(), nn.Linear(120, 24))
    opt = torch.optim.SGD(net.parameters(), lr=1e-3)
    sums = Counter()
    for step in range(1, 901):
        losses = detection_losses(net, torch.randn(16, 30))
        opt.zero_grad()
        sum(losses.values()).backward()
        opt.step()
        for name, value in losses.items():
            sums[name] += value  #! MEM101
        if step % 300 == 0:
            print(step, {name: float(v) / step for name, v in sums.items()})


main()
