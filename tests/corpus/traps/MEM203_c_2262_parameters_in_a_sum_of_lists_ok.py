"""The optimizer gets the parameters of the network and others, in one sum of lists."""
import torch
from torch import nn


class Drift(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.cell = nn.LSTM(1, width, batch_first=True)
        self.head = nn.Linear(width, 8)

    def forward(self, t):
        return self.head(self.cell(t)[0])


def fit(series, rounds):
    drift = Drift(512).cuda()
    lags = nn.ParameterList([nn.Parameter(0.1 * torch.randn(8, 8)) for _ in range(3)])
    scale = nn.Parameter(torch.ones(8))
    everything = list(drift.parameters()) + list(lags) + [scale]
    adam = torch.optim.Adam(everything, lr=1e-3)
    t = torch.linspace(0, 1, len(series)).reshape(1, -1, 1).cuda()
    for _ in range(rounds):
        adam.zero_grad()
        mean = drift(t).squeeze(0)
        loss = ((series - mean) * scale).square().mean() + sum(lag.norm() for lag in lags)
        loss.backward()
        adam.step()


def fit_first_other(series, rounds):
    drift, scale = Drift(512).cuda(), nn.Parameter(torch.ones(8))
    adam = torch.optim.Adam([scale] + list(drift.parameters()), lr=1e-3)
    t = torch.linspace(0, 1, len(series)).reshape(1, -1, 1).cuda()
    for _ in range(rounds):
        adam.zero_grad()
        mean = drift(t).squeeze(0)
        ((series - mean) * scale).square().mean().backward()
        adam.step()
