# the terms share one forward pass

import torch
from torch import nn

body = nn.Linear(5, 20)
heads = nn.ModuleList(nn.Linear(20, 1) for _ in range(3))
opt = torch.optim.SGD([*body.parameters(), *heads.parameters()], lr=0.1)
for x, ys in zip(torch.randn(8, 4, 5), torch.randn(8, 3, 4, 1)):
    z = torch.relu(body(x))
    loss = 0
    for i, y in enumerate(ys):
        loss = loss + nn.functional.mse_loss(heads[i](z), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
