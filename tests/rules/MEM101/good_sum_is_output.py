# a module's forward adds up its branches: the sum is the output

import torch
from torch import nn


class Inception(nn.Module):
    def __init__(self):
        super().__init__()
        self.branches = nn.ModuleList(nn.Linear(8, 8) for _ in range(4))
        self.aux_loss = 0.0

    def forward(self, x):
        out = 0
        for branch in self.branches:
            out = out + branch(x)
        return out


model = Inception()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    optimizer.zero_grad()
    loss = model(torch.randn(2, 8)).pow(2).mean()
    loss.backward()
    optimizer.step()
