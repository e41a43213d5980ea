# What is cached in the layer depends on the shape only, and is made when a shape turns up first.
import math

import torch
from torch import nn

MASKS = {}


class Causal(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.positions = {}

    def forward(self, x):
        n, d = x.shape[1:]
        if n not in MASKS:
            MASKS[n] = torch.ones(n, n).tril().bool()
        if n not in self.positions:
            self.positions[n] = torch.sin(torch.arange(n)[:, None] / 10 ** torch.linspace(0, 4, d))
        q, k, v = self.qkv(x + self.positions[n]).chunk(3, -1)
        score = (q @ k.transpose(1, 2) / math.sqrt(d)).masked_fill(~MASKS[n], float("-inf"))
        return x + score.softmax(-1) @ v


net = nn.Sequential(Causal(16), Causal(16), nn.Linear(16, 16))
opt = torch.optim.Adam(net.parameters())
for step in range(300):
    x = torch.randn(4, 10 + step % 3, 16)
    loss = (net(x)[:, :-1] - x[:, 1:]).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
