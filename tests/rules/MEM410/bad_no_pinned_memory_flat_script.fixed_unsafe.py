# no pinned memory, flat script

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10

loader = DataLoader(CIFAR10("data"), batch_size=128, shuffle=True, num_workers=2, pin_memory=True)
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 10)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for images, labels in loader:
    images, labels = images.cuda(non_blocking=True), labels.cuda(non_blocking=True)
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(images), labels).backward()
    opt.step()
