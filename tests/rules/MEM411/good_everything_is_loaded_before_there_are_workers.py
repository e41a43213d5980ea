# everything is loaded before there are workers

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Scans(Dataset):
    def __init__(self, paths):
        self.data = torch.empty(len(paths), 64, 64)
        for i, path in enumerate(paths):
            self.data[i] = torch.from_numpy(np.load(path))

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.data[i]


net = torch.nn.LazyLinear(1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Scans(["a.npy"]), batch_size=2, num_workers=4):
    opt.zero_grad()
    net(x.flatten(1)).mean().backward()
    opt.step()
