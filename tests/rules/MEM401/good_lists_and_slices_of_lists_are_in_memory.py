# lists and slices of lists are in memory

import torch
from torch.utils.data import DataLoader

samples = [(torch.randn(4), torch.randn(1)) for _ in range(500)]
small_list = samples[:100]
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for loader in (DataLoader(small_list, batch_size=10), DataLoader(samples[100:], batch_size=10)):
    for x, y in loader:
        opt.zero_grad()
        (net(x) - y).abs().mean().backward()
        opt.step()
