# the optimizer is made elsewhere from the whole model

import torch
from mylib import build_optimizer
from torch import nn

encoder, head = nn.Linear(8, 8), nn.Linear(8, 3)
optimizer = build_optimizer([encoder, head])
for x in torch.randn(10, 4, 8):
    target = encoder(x).detach()
    loss = (head(target) - 1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
