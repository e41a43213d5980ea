# pinned and not blocking

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10

loader = DataLoader(CIFAR10("data"), batch_size=128, num_workers=2, pin_memory=True)
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 10)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for images, labels in loader:
    images = images.cuda(non_blocking=True)
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(images), labels.cuda(non_blocking=True)).backward()
    opt.step()
