# normalisation of data, of observations, and statistics that have no graph

import torch
from torch import nn


class ObservationNorm(nn.Module):
    """What an environment shows comes from no layer."""

    def __init__(self, size, momentum=0.01):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("running_mean", torch.zeros(size))

    def forward(self, observations):
        mean = observations.mean(0)
        self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * mean
        return observations - self.running_mean


class QuietBatchNorm(nn.BatchNorm1d):
    def forward(self, x):
        mean = x.mean(0)
        with torch.no_grad():
            self.running_mean = self.momentum * mean + (1 - self.momentum) * self.running_mean
        return x - mean


class DetachedBatchNorm(nn.BatchNorm1d):
    def forward(self, x):
        mean = x.mean(0)
        self.running_mean.mul_(0.9).add_(mean.detach() * 0.1)
        self.running_var.mul_(0.9).add_(x.data.var(0) * 0.1)
        return x - mean


class CountingNorm(nn.BatchNorm1d):
    """The number of rows is no statistic of their values."""

    def forward(self, x):
        rows = x.shape[0]
        self.average_rows = 0.9 * self.average_rows + 0.1 * rows
        return super().forward(x)


class Quantiser(nn.Module):
    def __init__(self, codes, size):
        super().__init__()
        self.codes = nn.Parameter(torch.randn(codes, size))
        self.register_buffer("cluster_size", torch.zeros(codes))

    def forward(self, z):
        nearest = torch.cdist(z, self.codes).argmin(1)
        counts = nn.functional.one_hot(nearest, len(self.codes)).float().mean(0)
        self.cluster_size = 0.99 * self.cluster_size + 0.01 * counts
        return self.codes[nearest]
