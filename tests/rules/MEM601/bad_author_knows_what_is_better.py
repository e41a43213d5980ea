# the branch says itself that DistributedDataParallel is better: that is advice

import torch
from torch import nn

model = nn.Linear(8, 8).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
if torch.cuda.device_count() > 1:
    print("DataParallel is not recommended, start with torch.distributed.run")
    model = nn.DataParallel(model)  #! MEM601 advice
for x in torch.randn(10, 4, 8).cuda():
    opt.zero_grad()
    model(x).sum().backward()
    opt.step()
