# two optimizers step after one backward: joint training

import torch
from torch import nn

encoder, head = nn.Linear(4, 6), nn.Linear(6, 1)
slow = torch.optim.SGD(encoder.parameters(), lr=1e-4)
fast = torch.optim.SGD(head.parameters(), lr=1e-2)
for x in torch.randn(20, 8, 4):
    slow.zero_grad()
    fast.zero_grad()
    head(encoder(x)).pow(2).mean().backward()
    slow.step()
    fast.step()
