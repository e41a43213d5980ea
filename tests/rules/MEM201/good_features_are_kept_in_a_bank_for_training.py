# detached features go to a memory bank that the next losses read

import torch
from torch import nn

from data import loader

net = nn.Linear(8, 8)
bank = []
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, other in loader:
    key = net(other).detach()
    bank.append(key)
    loss = nn.functional.mse_loss(net(x), torch.stack(bank).mean(0))
    opt.zero_grad()
    loss.backward()
    opt.step()
