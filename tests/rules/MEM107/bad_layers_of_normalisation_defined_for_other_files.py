# layers of batch normalisation, defined for networks of other files

import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm


class PlainBatchNorm(nn.BatchNorm2d):
    def forward(self, input):
        if self.training:
            mean, var = input.mean([0, 2, 3]), input.var([0, 2, 3], unbiased=False)
            rate, size = self.momentum, input.numel() / input.size(1)
            self.running_mean = rate * mean + (1 - rate) * self.running_mean  #! MEM107 warning
            self.running_var = rate * var * size / (size - 1) + (1 - rate) * self.running_var  #! MEM107 warning
        else:
            mean, var = self.running_mean, self.running_var
        return (input - mean[None, :, None, None]) / torch.sqrt(var[None, :, None, None] + self.eps)


class StepwiseBatchNorm(_BatchNorm):
    def forward(self, x):
        rows = x.transpose(0, 1).reshape(x.size(1), -1)
        spread, middle = torch.var_mean(rows, dim=1)
        self.running_mean.lerp_(middle, self.momentum)  #! MEM107 warning
        return (x - middle[None, :, None]) / spread.sqrt()[None, :, None]


class ActNorm(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.scale = nn.Parameter(torch.ones(features))
        self.register_buffer("center", torch.zeros(features))

    def forward(self, inputs, context=None):
        mean = inputs.mean(0)
        self.center.mul_(1 - self.momentum).add_(mean * self.momentum)  #! MEM107 warning
        return (inputs - mean) * self.scale


class ConditionalBatchNorm(nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.gain = nn.Linear(classes, features)
        self.register_buffer("running_var", torch.ones(features))

    def forward(self, h, y):
        spread = torch.var(h, dim=0)
        self.running_var = self.running_var * 0.9 + spread * 0.1  #! MEM107 warning
        return h / spread.sqrt() * self.gain(y)
