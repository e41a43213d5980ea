# statistics of a layer, kept on the module during forward

import torch
from torch import nn


class CentredLinear(nn.Module):
    def __init__(self, n_in, n_out, momentum=0.1):
        super().__init__()
        self.linear = nn.Linear(n_in, n_out)
        self.momentum = momentum
        self.running_mean = torch.zeros(n_out)

    def forward(self, x):
        y = self.linear(x)
        if self.training:
            mean = y.mean(0)
            self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * mean  #! MEM107 warning
            return y - mean
        return y - self.running_mean


layer = CentredLinear(5, 4)
sgd = torch.optim.SGD(layer.parameters(), lr=0.1)
for x in torch.randn(40, 8, 5):
    sgd.zero_grad()
    layer(x).pow(2).mean().backward()
    sgd.step()
