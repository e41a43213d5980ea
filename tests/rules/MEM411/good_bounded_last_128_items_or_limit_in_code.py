# bounded: the last 128 items, or a limit in the code

from collections import OrderedDict
from functools import lru_cache

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Scans(Dataset):
    def __init__(self, paths):
        self.paths, self.recent, self.first = paths, OrderedDict(), {}

    @lru_cache
    def header(self, path):
        return np.load(path, mmap_mode="r")[0]

    @lru_cache(maxsize=16)
    def whole(self, path):
        return np.load(path)

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, idx):
        item = self.whole(self.paths[idx]) + self.header(self.paths[idx])
        self.recent[idx] = np.square(item)
        if len(self.recent) > 10:
            self.recent.popitem(last=False)
        if len(self.first) < 20:
            self.first[idx] = np.sqrt(item)
        return torch.from_numpy(item)


net = torch.nn.LazyLinear(1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Scans(["a.npy"]), batch_size=2, num_workers=4):
    opt.zero_grad()
    net(x.flatten(1)).mean().backward()
    opt.step()
