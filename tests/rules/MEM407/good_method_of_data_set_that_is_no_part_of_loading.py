# a method of the data set that is no part of loading

import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, series):
        self.series = series

    def __len__(self):
        return len(self.series) - 8

    def __getitem__(self, i):
        return self.series[i : i + 8]

    def whole(self):
        return self.series.cuda()


data = Windows(torch.randn(200))
net = torch.nn.Linear(8, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(data, batch_size=16, num_workers=2):
    opt.zero_grad()
    net(x.cuda()).mean().backward()
    opt.step()
print(data.whole().mean())
