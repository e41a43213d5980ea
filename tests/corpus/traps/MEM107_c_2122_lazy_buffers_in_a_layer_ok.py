# A layer that makes its buffer when it is first called, and writes numbers without a graph into it.
import torch
from torch import nn


class RunningScale(nn.Module):
    def __init__(self, momentum=0.1):
        super().__init__()
        self.momentum, self.scale = momentum, None

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                now = x.abs().mean(0)
                if self.scale is None:
                    self.scale = now.clone()
                else:
                    self.scale.mul_(1 - self.momentum).add_(now, alpha=self.momentum)
        return x / (self.scale + 1e-6)


net = nn.Sequential(nn.Linear(6, 30), RunningScale(), nn.ReLU(), nn.Linear(30, 6))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(300):
    x = torch.randn(32, 6)
    loss = (net(x) - x).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
