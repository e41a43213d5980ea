# epochs over a loader with workers, flat script

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder

loader = DataLoader(ImageFolder("train"), batch_size=64, shuffle=True, num_workers=8, persistent_workers=True)
net = torch.nn.LazyLinear(10)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(90):
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x.flatten(1)), y).backward()
        opt.step()
