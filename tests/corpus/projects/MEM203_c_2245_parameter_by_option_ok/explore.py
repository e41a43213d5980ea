"""Choosing actions by chance."""

import torch
from torch import nn
from torch.distributions import Bernoulli, Categorical


class Explorer(nn.Module):
    def __init__(self, rate=0.05, learnable=False):
        super().__init__()
        if learnable:
            rate = nn.Parameter(torch.tensor(rate))
        self.rate = rate

    def forward(self, values):
        best = values.max(dim=1, keepdim=True)[1]
        other = Categorical(probs=torch.ones_like(values)).sample()
        chance = Bernoulli(probs=torch.ones(values.size(0), 1) - self.rate).sample().long()
        return best * chance + (1 - chance) * other
