# the dataset keeps its samples on the GPU

import torch
from torch.utils.data import DataLoader, Dataset


class OnDevice(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x.cuda(), y.cuda()

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


loader = DataLoader(OnDevice(torch.randn(100, 4), torch.randn(100, 1)), batch_size=10)
net = torch.nn.Linear(4, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    (net(x) - y).abs().mean().backward()
    opt.step()
