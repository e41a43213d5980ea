# the argument is there, or a decision against it

import torch
from torch.nn.parallel import DistributedDataParallel as DDP

a = DDP(torch.nn.Linear(3, 3).cuda(), gradient_as_bucket_view=True)
b = DDP(torch.nn.Linear(3, 3).cuda(), gradient_as_bucket_view=False)
options = {"gradient_as_bucket_view": True}
c = DDP(torch.nn.Linear(3, 3).cuda(), **options)
