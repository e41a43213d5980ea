import heapq
import itertools

import torch
from torch import nn


def mine(net, opt, steps, seed=0):
    """Keeps (loss, number, input) of every batch, to look at the hardest afterwards."""
    torch.manual_seed(seed)
    hard, count = [], itertools.count()
    for _ in range(steps):
        x = torch.randn(4, 12)
        loss = (net(x) - x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        heapq.heappush(hard, (-loss, next(count), x))  #! MEM102
    return heapq.nsmallest(5, hard)


if __name__ == "__main__":
    net = nn.Linear(12, 12)
    print(len(mine(net, torch.optim.SGD(net.parameters(), 0.01), 300)))
