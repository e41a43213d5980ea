# truncated back-propagation through time: the sum is back-propagated and reset every few steps

import torch
from torch import nn

cell, readout = nn.GRUCell(8, 32), nn.Linear(32, 8)
opt = torch.optim.Adam([*cell.parameters(), *readout.parameters()])
h, loss = torch.zeros(1, 32), 0
series = torch.randn(400, 1, 8)
for t in range(399):
    h = cell(series[t], h)
    loss += nn.functional.mse_loss(readout(h), series[t + 1])
    if (t + 1) % 20 == 0:
        opt.zero_grad()
        loss.backward()
        opt.step()
        h = h.detach()
        loss = 0
