# which network an optimizer steps is not to be seen: nothing says whose gradients are wanted

import torch
import torch.nn.functional as F
from torch import nn
from training import build_optimizers, images

G = nn.Sequential(nn.Linear(100, 784), nn.Tanh())
D = nn.Linear(784, 1)
first, second = build_optimizers(G, D)
for real in images:
    fake = G(torch.randn(len(real), 100))
    loss = F.softplus(D(fake)).mean() + F.softplus(-D(real)).mean()
    first.zero_grad()
    loss.backward()
    first.step()
    loss = F.softplus(-D(G(torch.randn(len(real), 100)))).mean()
    second.zero_grad()
    loss.backward()
    second.step()
