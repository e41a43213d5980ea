# the scaler gets loss and optimizer: it runs backward()

import torch
from torch import nn

from engine import LossScaler, loader

net = nn.Linear(8, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scale = LossScaler()
for x, y in loader:
    loss = nn.functional.cross_entropy(net(x), y)
    norm = scale(loss, opt, parameters=net.parameters())
    print(loss.item(), norm)
    opt.step()
