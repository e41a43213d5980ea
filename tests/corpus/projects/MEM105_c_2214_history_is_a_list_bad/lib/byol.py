import copy

import torch
import torch.nn.functional as F
from torch import nn

from .ema import EMA, update_moving_average


def loss_fn(x, y):
    return 2 - 2 * (F.normalize(x, dim=-1) * F.normalize(y, dim=-1)).sum(-1)


class BYOL(nn.Module):
    def __init__(self, net, dim=256):
        super().__init__()
        self.online = nn.Sequential(net, nn.LazyLinear(dim))
        self.predictor = nn.Linear(dim, dim)
        self.target, self.updater = None, EMA(0.99)

    def update_target(self):
        update_moving_average(self.updater, self.target, self.online)

    def forward(self, a, b):
        if self.target is None:
            self.target = copy.deepcopy(self.online).requires_grad_(False)
        p, q = self.predictor(self.online(a)), self.predictor(self.online(b))
        with torch.no_grad():
            ta, tb = self.target(a), self.target(b)
        return (loss_fn(p, tb) + loss_fn(q, ta)).mean()
