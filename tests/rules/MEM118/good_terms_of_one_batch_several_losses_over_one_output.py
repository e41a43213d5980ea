# terms of one batch: several losses over one output

import torch
from torch import nn

net = nn.Linear(9, 9)
criteria = [nn.MSELoss(), nn.L1Loss(), nn.SmoothL1Loss()]
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(11, 3, 9):
    out, loss = net(x), 0
    for weight, criterion in zip((1.0, 0.5, 0.1), criteria):
        loss += weight * criterion(out, x)
    opt.zero_grad()
    loss.backward()
    opt.step()
