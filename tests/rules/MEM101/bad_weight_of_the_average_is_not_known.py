# the old value comes last, and its weight is set elsewhere

import torch
from settings import momentum
from simulation import state

net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), 0.1)
smooth = None
for step in range(10_000):
    loss = net(state(step)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if smooth is None:
        smooth = loss
    else:
        smooth = (1 - momentum) * loss + momentum * smooth  #! MEM101 warning
