# the number is a parameter of the function

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder


def loaders(root, batch_size, num_workers=0):
    return DataLoader(ImageFolder(root), batch_size=batch_size, shuffle=True, num_workers=num_workers)


net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loaders("train", 32, num_workers=8):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
