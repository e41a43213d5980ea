# an ODE solver inside forward: the state is the result

import torch
from torch import nn


class NeuralODE(nn.Module):
    def __init__(self, dim, steps=8):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(dim, 32), nn.Tanh(), nn.Linear(32, dim))
        self.steps = steps

    def forward(self, x):
        dt = 1.0 / self.steps
        for _ in range(self.steps):
            x = x + dt * self.f(x)
        return x


model = NeuralODE(2)
opt = torch.optim.Adam(model.parameters())
for _ in range(10):
    z = torch.randn(16, 2)
    loss = (model(z) + z).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
