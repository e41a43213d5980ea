# All pairs of two sets: both sides are copied before they are subtracted.

import torch


def distances(x, y):
    n, m = x.size(0), y.size(0)
    left = x.unsqueeze(1).expand(-1, m, -1)
    right = y.unsqueeze(0).expand(n, -1, -1)
    return torch.sqrt(((left - right) ** 2).sum(-1))
