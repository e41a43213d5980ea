# another function of that name

import torch
from torch import nn


def empty_cache():
    print("results forgotten")


model = nn.Linear(3, 3).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(9, 2, 3):
    opt.zero_grad()
    model(x.cuda()).sum().backward()
    opt.step()
    empty_cache()
