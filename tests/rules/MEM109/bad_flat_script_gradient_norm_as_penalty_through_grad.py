# flat script: gradient norm as a penalty, through .grad

import torch
from torch import nn

net = nn.Sequential(nn.Linear(6, 32), nn.Softplus(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(50):
    x = torch.randn(16, 6)
    loss = (net(x) - x.prod(1, keepdim=True)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward(create_graph=True)  #! MEM109 warning
    penalty = sum(p.grad.pow(2).sum() for p in net.parameters())
    (0.1 * penalty).backward()
    optimizer.step()
