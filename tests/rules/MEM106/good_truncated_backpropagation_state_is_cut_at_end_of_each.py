# truncated backpropagation: the state is cut at the end of each window of k steps

import torch
from torch import nn

cell, out = nn.LSTMCell(3, 6), nn.Linear(6, 3)
opt = torch.optim.SGD([*cell.parameters(), *out.parameters()], lr=0.05)
k = 5
h, c, loss = torch.zeros(1, 6), torch.zeros(1, 6), 0.0
signal = torch.randn(101, 1, 3)
for t in range(100):
    h, c = cell(signal[t], (h, c))
    loss = loss + (out(h) - signal[t + 1]).pow(2).mean()
    if (t + 1) % k == 0:
        opt.zero_grad()
        loss.backward()
        opt.step()
        h, c, loss = h.detach(), c.detach(), 0.0
