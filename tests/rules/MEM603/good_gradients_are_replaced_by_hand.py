# gradients are replaced by hand

import torch
from torch.nn.parallel import DistributedDataParallel as DDP

model = DDP(torch.nn.Linear(3, 3).cuda())
model(torch.ones(1, 3).cuda()).sum().backward()
for p in model.parameters():
    p.grad = p.grad.sign()
