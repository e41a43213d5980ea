# the workers persist

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder

workers = 4
loader = DataLoader(ImageFolder("train"), 64, num_workers=workers, persistent_workers=workers > 0)
net = torch.nn.LazyLinear(10)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(90):
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x.flatten(1)), y).backward()
        opt.step()
