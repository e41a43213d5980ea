# one step for every backward

import torch
from torch.nn.parallel import DistributedDataParallel

net = DistributedDataParallel(torch.nn.Linear(3, 1).cuda())
opt = torch.optim.AdamW(net.parameters())
for n, x in enumerate(torch.randn(320, 2, 3)):
    opt.zero_grad()
    net(x.cuda()).mean().backward()
    opt.step()
    if n % 100 == 0:
        print(n)
