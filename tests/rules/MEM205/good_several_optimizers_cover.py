# several optimizers cover all of it

import torch
from torch import nn


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = nn.Linear(4, 2), nn.Linear(2, 4)

    def forward(self, x):
        return self.dec(self.enc(x))


pair = Pair()
optimizers = [torch.optim.SGD(pair.enc.parameters(), lr=0.1), torch.optim.Adam(pair.dec.parameters())]
for x in torch.randn(8, 3, 4):
    loss = (pair(x) - x).pow(2).mean()
    for o in optimizers:
        o.zero_grad()
    loss.backward()
    for o in optimizers:
        o.step()
