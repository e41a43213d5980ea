# time loop inside one backward window

import torch
from torch import nn

cell, head = nn.GRUCell(3, 9), nn.Linear(9, 2)
opt = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.1)
for x, y in [(torch.randn(6, 4, 3), torch.randn(6, 4, 2)) for _ in range(5)]:
    h = torch.zeros(4, 9)
    loss = 0
    for t in range(6):
        h = cell(x[t], h)
        loss = loss + (head(h) - y[t]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
