import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 1))
net[0].requires_grad_(False)
for n, p in net.named_parameters():
    p.requires_grad = n.startswith("1.")
x = torch.randn(2, 3)
x.requires_grad = True
net(x).sum().backward()
print(x.grad)
