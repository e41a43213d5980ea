# ranks on the CPU, and an isinstance check

import torch
from torch.nn.parallel import DistributedDataParallel as DDP

device = torch.device("cpu")
model = DDP(torch.nn.Linear(3, 3).to(device))
print(isinstance(model, DDP))
