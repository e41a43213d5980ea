# a data set that is indexed directly, without a loader

import torch
from torch.utils.data import Dataset


class Views(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return torch.rand(3, 4).cuda()


views = Views(100)
net = torch.nn.Linear(4, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(1000):
    opt.zero_grad()
    net(views[step % len(views)]).mean().backward()
    opt.step()
