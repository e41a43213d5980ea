import os

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Volumes(Dataset):
    CLASSES = ["bg", "liver", "spleen"]

    def __init__(self, root, table):
        rows = [line.split(",") for line in open(table)]
        self.spacing = torch.tensor([[float(v) for v in r[1:4]] for r in rows])
        self.data = np.stack([np.load(os.path.join(root, r[0])) for r in rows])
        self.bounds = [(i * 10, i * 10 + 10) for i in range(30)]

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        lo, hi = self.bounds[i % 30]
        return torch.from_numpy(self.data[i][lo:hi]), self.spacing[i], self.CLASSES[i % 3]


class Pairs(Dataset):
    def __init__(self, lines):
        self.lines = [line.strip().split("\t") for line in lines]

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, i):
        return self.lines[i]


def main():
    train = DataLoader(Volumes("vol", "table.csv"), batch_size=1, num_workers=4)
    pairs = DataLoader(Pairs(open("pairs.tsv").readlines()), batch_size=8, num_workers=0)
    net = torch.nn.LazyLinear(1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for (x, spacing, _), text in zip(train, pairs):
        loss = net(x.flatten(1).float()).mean() * spacing.mean() * len(text)
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
