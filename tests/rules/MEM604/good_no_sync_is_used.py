# no_sync is used

import contextlib

import torch
from torch.nn.parallel import DistributedDataParallel

net = DistributedDataParallel(torch.nn.Linear(3, 1).cuda())
opt = torch.optim.AdamW(net.parameters())
for n, x in enumerate(torch.randn(320, 2, 3)):
    last = n % 16 == 15
    with contextlib.nullcontext() if last else net.no_sync():
        (net(x.cuda()).mean() / 16).backward()
    if last:
        opt.step()
        opt.zero_grad()
