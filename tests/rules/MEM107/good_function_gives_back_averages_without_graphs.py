# the averages that come back have no graph, or nobody keeps them, or they are of one part

import torch
from torch import nn


def batch_norm(x, moving_mean, momentum):
    mean = x.mean(dim=0)
    moving_mean = momentum * moving_mean + (1.0 - momentum) * mean
    return x - mean, moving_mean.data


def smoothed(x, running_mean):
    mean = x.mean(0)
    running_mean = 0.9 * running_mean + 0.1 * mean
    return x - running_mean


class BatchNorm(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(features))
        self.register_buffer("moving_mean", torch.zeros(features))

    def forward(self, x):
        y, self.moving_mean = batch_norm(x, self.moving_mean, 0.9)
        return smoothed(y, self.moving_mean) * self.gain


class PartlyStoredNorm(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(features))
        self.register_buffer("running_mean", torch.zeros(features))

    @torch.no_grad()
    def update(self, m):
        self.running_mean[:] = self.running_mean * 0.9 + m * 0.1

    def forward(self, x):
        m = x.mean([0, 2, 3])
        self.update(m)
        return (x - m[:, None, None]) * self.gain[:, None, None]
