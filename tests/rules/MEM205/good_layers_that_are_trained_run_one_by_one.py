# layers that run one by one belong to a network that an optimizer has, or that is frozen

import torch
from torch import nn

body = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 8))
judge = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 1)).requires_grad_(False)
optimizer = torch.optim.Adam(body.parameters())
for x in torch.randn(100, 4, 8):
    optimizer.zero_grad()
    h = x
    for layer in body:
        h = layer(h)
    for layer in judge:
        h = layer(h)
    h.mean().backward()
    optimizer.step()
