# read in the constructor, kept as a tensor

import csv

import torch
from torch.utils.data import DataLoader, Dataset


class Table(Dataset):
    def __init__(self, path):
        with open(path) as f:
            rows = [[float(v) for v in row] for row in csv.reader(f)]
        self.x = torch.tensor(rows)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i]


net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Table("t.csv"), batch_size=4, num_workers=4):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
