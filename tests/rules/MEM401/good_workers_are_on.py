# workers are on

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder

loader = DataLoader(ImageFolder("train"), 32, True, None, None, 8)
other = DataLoader(ImageFolder("train"), batch_size=32, num_workers=2, persistent_workers=True)
net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
for x, y in other:
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
