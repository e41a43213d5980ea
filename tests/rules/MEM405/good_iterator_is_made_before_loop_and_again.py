# the iterator is made before the loop and again on StopIteration

import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(100, 7)), batch_size=10, shuffle=True)
stream = iter(loader)
net = torch.nn.Linear(7, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(1000):
    try:
        (x,) = next(stream)
    except StopIteration:
        stream = iter(loader)
        (x,) = next(stream)
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
