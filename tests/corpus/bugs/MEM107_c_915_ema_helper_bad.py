"""Exponential averages written as helper functions."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def update_ema(target, source, decay=0.99):
    for key, p in target.items():
        target[key] = decay * p + (1 - decay) * source[key]  #! MEM107


def main():
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(10, 10), nn.Tanh(), nn.Linear(10, 2))
    shadow = {k: p.clone().detach() for k, p in net.named_parameters()}
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(10):
        x, y = torch.randn(8, 10), torch.randint(0, 2, (8,))
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        update_ema(shadow, dict(net.named_parameters()))
    print(sum(float(v.sum()) for v in shadow.values()))


if __name__ == "__main__":
    main()
