# loaded under a condition, or wrapped: the backward may run through what the optimizer has

import os

import torch
from torch import nn
from zoo import wrap

batches = torch.utils.data.DataLoader(torch.randn(64, 4))
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), 0.1)
if os.path.exists("best.pt"):
    net = torch.load("best.pt", weights_only=False, map_location="cpu")
for x in batches:
    net(x).mean().backward()  #! MEM121 error
    opt.step()

model = nn.Linear(4, 2)
sgd = torch.optim.SGD(model.parameters(), 0.1)
model = wrap(model)
for x in batches:
    model(x).mean().backward()  #! MEM121 error
    sgd.step()
