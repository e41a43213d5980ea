# zeros are kept on purpose

import torch
from torch.nn.parallel import DistributedDataParallel as DDP

model = DDP(torch.nn.Linear(3, 3).cuda())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer.zero_grad(set_to_none=False)
model(torch.ones(1, 3).cuda()).sum().backward()
optimizer.step()
