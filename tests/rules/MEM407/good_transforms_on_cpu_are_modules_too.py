# transforms on the CPU are modules, too

import torch
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

augment = torch.nn.Sequential(transforms.RandomHorizontalFlip(), transforms.ColorJitter(0.2))
pipeline = transforms.Compose([transforms.ToTensor(), augment, transforms.Lambda(lambda x: x * 2 - 1)])
train_set = datasets.CIFAR10("data", transform=pipeline)
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 10)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(train_set, batch_size=64, num_workers=8):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
    opt.step()
