# a loop over the losses of one forward

import torch
from torch import nn

body = nn.Linear(7, 7)
heads = nn.ModuleList(nn.Linear(7, 1) for _ in range(3))
opt = torch.optim.SGD([*body.parameters(), *heads.parameters()], lr=0.05)
for x in torch.randn(12, 5, 7):
    opt.zero_grad()
    z = body(x)
    losses = [head(z).pow(2).mean() for head in heads]
    for loss in losses:
        loss.backward(retain_graph=True)
    opt.step()
