# a helper clears several optimizers in a loop

import torch
from torch import nn


def reset_grad(optimizers):
    for o in optimizers:
        o.zero_grad()


enc, cls = nn.Linear(4, 4), nn.Linear(4, 2)
optimizer_e, optimizer_c = torch.optim.SGD(enc.parameters(), lr=0.1), torch.optim.SGD(cls.parameters(), lr=0.1)
for i in range(100):
    reset_grad([optimizer_e, optimizer_c])
    loss = cls(enc(torch.randn(8, 4))).pow(2).mean()
    loss.backward()
    optimizer_e.step()
    optimizer_c.step()
