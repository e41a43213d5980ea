# fully sharded: no_sync would need more memory there

import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel

USE_FSDP = True
net = torch.nn.Linear(3, 1).cuda()
net = FSDP(net) if USE_FSDP else DistributedDataParallel(net)
opt = torch.optim.AdamW(net.parameters())
for n, x in enumerate(torch.randn(320, 2, 3)):
    (net(x.cuda()).mean() / 4).backward()
    if n % 4 == 3:
        opt.step()
        opt.zero_grad()
