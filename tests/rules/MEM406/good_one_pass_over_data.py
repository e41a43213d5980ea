# one pass over the data

import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.randn(1000, 8), batch_size=64, num_workers=2)
net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(1):
    for x in loader:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
for x in loader:
    print(net(x).mean().item())
