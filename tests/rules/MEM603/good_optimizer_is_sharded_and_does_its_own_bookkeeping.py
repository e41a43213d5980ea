# the optimizer is sharded, and does its own bookkeeping

import torch
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel as DDP

model = DDP(torch.nn.Linear(3, 3).cuda())
optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, lr=1e-3)
