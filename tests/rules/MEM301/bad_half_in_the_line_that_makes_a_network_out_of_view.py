# the class is in a file that is not in view, and the cast stands behind its call

import torch

from zoo import WideNet
from data import loader

net = WideNet(depth=16).cuda().half()  #! MEM301 error
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for x, y in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x.cuda().half()), y.cuda()).backward()
    opt.step()
