# the right name

import torch

net = torch.nn.Linear(2, 2)
for p in net.parameters():
    p.requires_grad = False
net.bias.requires_grad_(True)
setattr(net.weight, "requires_grad", True)
