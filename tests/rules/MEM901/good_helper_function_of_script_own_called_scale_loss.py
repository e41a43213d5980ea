# a helper function of the script's own, called scale_loss

import torch
from torch.cuda import amp


def scale_loss(loss, steps):
    return loss / steps


net = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(8, 2, 3):
    scale_loss(net(x).mean(), 8).backward()
opt.step()
opt.zero_grad()
print(amp)
