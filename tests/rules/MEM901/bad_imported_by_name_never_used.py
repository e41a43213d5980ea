# imported by name, never used

import torch
from torch.amp import autocast, scale_loss  #! MEM901 error

net = torch.nn.Linear(2, 2)
with autocast("cpu"):
    print(net(torch.randn(1, 2)))
