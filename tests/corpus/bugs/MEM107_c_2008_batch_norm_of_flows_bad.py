# Batch normalisation as a step of a normalising flow, with running statistics of its own.
import torch
from torch import nn
from torch.nn import functional as F


class FlowBatchNorm(nn.Module):
    def __init__(self, features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.unconstrained_weight = nn.Parameter(torch.zeros(features))
        self.bias = nn.Parameter(torch.zeros(features))
        self.register_buffer("running_mean", torch.zeros(features))
        self.register_buffer("running_var", torch.zeros(features))

    @property
    def weight(self):
        return F.softplus(self.unconstrained_weight) + self.eps

    def forward(self, inputs):
        if self.training:
            mean, var = inputs.mean(0), inputs.var(0)
            self.running_mean.mul_(1 - self.momentum).add_(mean * self.momentum)  #! MEM107
            self.running_var.mul_(1 - self.momentum).add_(var * self.momentum)  #! MEM107
        else:
            mean, var = self.running_mean, self.running_var
        outputs = self.weight * (inputs - mean) / (var + self.eps).sqrt() + self.bias
        logdet = (torch.log(self.weight) - 0.5 * torch.log(var + self.eps)).sum()
        return outputs, logdet * torch.ones(len(inputs))


class Shear(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.net = nn.Linear(features // 2, features - features // 2)

    def forward(self, x):
        a, b = x.split([self.net.in_features, self.net.out_features], 1)
        return torch.cat([a, b + torch.tanh(self.net(a))], 1), x.new_zeros(len(x))


def log_prob(layers, x):
    total = torch.zeros(len(x))
    for layer in layers:
        x, logdet = layer(x)
        total = total + logdet
    return total - 0.5 * x.square().sum(1)


layers = nn.ModuleList([Shear(6), FlowBatchNorm(6), Shear(6), FlowBatchNorm(6)])
optimizer = torch.optim.Adam(layers.parameters(), lr=1e-3)
for step in range(400):
    batch = torch.randn(64, 6).cumsum(1)
    loss = -log_prob(layers, batch).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        print(step, loss.item())
