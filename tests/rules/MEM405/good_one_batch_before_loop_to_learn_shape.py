# one batch before the loop, to learn a shape

import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(100, 7)), batch_size=10)
(probe,) = next(iter(loader))
net = torch.nn.Linear(probe.shape[1], 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for (x,) in loader:
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
