# flat script: averaged weights rebuilt as a list

import torch
from torch import nn

net = nn.Sequential(nn.Linear(10, 30), nn.Tanh(), nn.Linear(30, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
averaged = [p.detach().clone() for p in net.parameters()]
for step in range(100):
    x = torch.randn(32, 10)
    loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    averaged = [0.99 * a + 0.01 * p for a, p in zip(averaged, net.parameters())]  #! MEM107 warning
for p, a in zip(net.parameters(), averaged):
    p.data.copy_(a.data)
