# All pairs of two sets: both sides are copied before they are subtracted.

import torch


def distances(x, y):
    n, m = x.size(0), y.size(0)
    left = x.unsqueeze(1).repeat(1, m, 1)  #! MEM414 warning
    right = y.unsqueeze(0).repeat(n, 1, 1)
    return torch.sqrt(((left - right) ** 2).sum(-1))
