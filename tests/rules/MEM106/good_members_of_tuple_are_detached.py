# the members of the tuple are detached one by one, through .data and detach_()

import torch
from torch import nn

lstm, head = nn.LSTM(2, 5), nn.Linear(5, 1)
optimizer = torch.optim.Adam(list(lstm.parameters()) + list(head.parameters()))
h, c = torch.zeros(1, 3, 5), torch.zeros(1, 3, 5)
for x in torch.randn(9, 4, 3, 2):
    out, (h, c) = lstm(x, (h, c))
    loss = head(out).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    h = h.data
    c = c.data

state = None
for x in torch.randn(9, 4, 3, 2):
    out, state = lstm(x, state)
    loss = head(out).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    for part in state:
        part.detach_()
