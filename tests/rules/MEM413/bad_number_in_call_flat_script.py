# a number in the call, flat script

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10

loader = DataLoader(CIFAR10("data"), batch_size=64, shuffle=True)  #! MEM413 advice
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 10)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
    opt.step()
