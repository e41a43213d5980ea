# a function of its own clears, but another optimizer

import torch
from torch import nn


def reset_zero_grad(optimizer):
    optimizer.zero_grad()


judge, painter = nn.Linear(8, 1), nn.Linear(2, 8)
first, second = torch.optim.SGD(judge.parameters(), 0.1), torch.optim.SGD(painter.parameters(), 0.1)
for _ in range(100):
    reset_zero_grad(first)
    judge(torch.randn(4, 8)).mean().backward()
    first.step()
    painter(torch.randn(4, 2)).mean().backward()  #! MEM121 error
    second.step()
