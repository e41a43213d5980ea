# a function normalises and gives the averages back, which the layer keeps

import torch
from torch import nn


def batch_norm(training, X, gamma, beta, moving_mean, moving_var, eps, momentum):
    if not training:
        X_hat = (X - moving_mean) / torch.sqrt(moving_var + eps)
    else:
        mean = X.mean(dim=0)
        var = ((X - mean) ** 2).mean(dim=0)
        X_hat = (X - mean) / torch.sqrt(var + eps)
        moving_mean = momentum * moving_mean + (1.0 - momentum) * mean  #! MEM107 warning
        moving_var = momentum * moving_var + (1.0 - momentum) * var  #! MEM107 warning
    return gamma * X_hat + beta, moving_mean, moving_var


class BatchNorm(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(features)), nn.Parameter(torch.zeros(features))
        self.moving_mean, self.moving_var = torch.zeros(features), torch.ones(features)

    def forward(self, X):
        Y, self.moving_mean, self.moving_var = batch_norm(
            self.training, X, self.gamma, self.beta, self.moving_mean, self.moving_var, eps=1e-5, momentum=0.9
        )
        return Y


class StoredNorm(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(features))
        self.register_buffer("stored_mean", torch.zeros(features))
        self.momentum = momentum

    def forward(self, x):
        m = torch.mean(x, [0, 2, 3])
        self.stored_mean[:] = self.stored_mean * (1 - self.momentum) + m * self.momentum  #! MEM107 warning
        return (x - m[:, None, None]) * self.gain[:, None, None]
