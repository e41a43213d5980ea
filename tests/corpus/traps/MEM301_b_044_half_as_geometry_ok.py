import torch
from torch import nn


class Splitter(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.half = d // 2
        self.net = nn.Linear(self.half, self.half)

    def forward(self, x):
        a, b = x[:, :self.half], x[:, self.half:]
        return torch.cat([a, b * self.net(a).tanh().exp()], 1)


class Clock:
    def half(self):
        return 0.5


def train(loader):
    m = Splitter(8)
    opt = torch.optim.Adam(m.parameters())
    c = Clock()
    for x in loader:
        loss = (m(x).pow(2).sum(1) * c.half()).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
