# endless training iterator in a flat script

import torch
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

data = datasets.CIFAR10("data", transform=transforms.Compose([transforms.RandomCrop(32, 4), transforms.ToTensor()]))
loader = DataLoader(data, batch_size=128, shuffle=True, num_workers=4)
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 10))
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def forever(loader):
    while True:
        yield from loader


batches = forever(loader)
for step in range(20000):
    x, y = next(batches)
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()
