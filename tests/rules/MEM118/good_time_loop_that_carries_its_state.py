# a time loop that carries its state

import torch
from torch import nn

cell, head = nn.GRUCell(3, 8), nn.Linear(8, 3)
opt = torch.optim.Adam([*cell.parameters(), *head.parameters()])
for seq in torch.randn(6, 10, 2, 3):
    h, loss = torch.zeros(2, 8), 0
    for t in range(9):
        h = cell(seq[t], h)
        loss = loss + (head(h) - seq[t + 1]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
