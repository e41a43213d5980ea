# a running average of numbers; its weight is set elsewhere

import torch
from settings import momentum
from simulation import state

net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), 0.1)
smooth, other = 0.0, 0.0
for step in range(10_000):
    loss = net(state(step)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    smooth = (1 - momentum) * loss.item() + momentum * smooth
    other = (1 - momentum) * loss.detach() + momentum * other
