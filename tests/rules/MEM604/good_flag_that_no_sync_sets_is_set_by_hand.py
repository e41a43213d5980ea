# the flag that no_sync sets is set by hand

import torch
from torch.nn.parallel import DistributedDataParallel

net = DistributedDataParallel(torch.nn.Linear(3, 1).cuda())
opt = torch.optim.AdamW(net.parameters())
for n, x in enumerate(torch.randn(320, 2, 3)):
    net.require_backward_grad_sync = n % 4 == 3
    (net(x.cuda()).mean() / 4).backward()
    if n % 4 == 3:
        opt.step()
        opt.zero_grad()
