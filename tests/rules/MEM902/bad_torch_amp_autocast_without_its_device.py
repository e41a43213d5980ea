# torch.amp.autocast without its device

import torch
from torch.amp import autocast

net = torch.nn.Linear(4, 2).cuda()
x = torch.randn(1, 4, device="cuda")
with autocast():  #! MEM902
    net(x)
with torch.autocast(dtype=torch.float16):  #! MEM902
    net(x)
