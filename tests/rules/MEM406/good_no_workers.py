# no workers

import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.randn(1000, 8), batch_size=64)
net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(10):
    for x in loader:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
