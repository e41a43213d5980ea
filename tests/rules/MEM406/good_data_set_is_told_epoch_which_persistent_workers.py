# the data set is told the epoch, which persistent workers would not hear

import torch
from torch.utils.data import DataLoader, Dataset


class Crops(Dataset):
    def __init__(self, x):
        self.x, self.epoch = x, 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i].roll(self.epoch)


crops = Crops(torch.randn(1000, 8))
train_loader = DataLoader(crops, batch_size=64, num_workers=2)
net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(10):
    train_loader.dataset.set_epoch(epoch)
    for x in train_loader:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
