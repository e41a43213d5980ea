# The running statistics take the batch's values under no_grad, by copy_ and by lerp_.
import torch
from torch import nn


class ActNorm(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("seen", torch.tensor(0))
        self.scale = nn.Parameter(torch.ones(features))

    @torch.no_grad()
    def track(self, batch_mean):
        if self.seen == 0:
            self.mean.copy_(batch_mean)
        else:
            self.mean.lerp_(batch_mean, 0.1)
        self.seen += 1

    def forward(self, x):
        batch_mean = x.mean(0)
        if self.training:
            self.track(batch_mean)
        return (x - batch_mean) * self.scale


net = nn.Sequential(nn.Linear(5, 20), ActNorm(20), nn.ReLU(), nn.Linear(20, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(200):
    x = torch.randn(32, 5)
    optimizer.zero_grad()
    (net(x) - x.prod(1, keepdim=True)).square().mean().backward()
    optimizer.step()
