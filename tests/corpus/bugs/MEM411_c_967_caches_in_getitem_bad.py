import functools

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class SliceDs(Dataset):
    def __init__(self, files, cache=True):
        self.files = files
        self.use_cache = cache
        self.cached = {}

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        if i in self.cached:
            return self.cached[i]
        arr = torch.from_numpy(np.load(self.files[i]))
        if self.use_cache:
            self.cached[i] = arr  #! MEM411
        return arr


class Lru(Dataset):
    def __init__(self, files):
        self.files = files

    def __len__(self):
        return len(self.files)

    @functools.lru_cache(maxsize=None)  #! MEM411
    def _read(self, i):  #= MEM411
        return np.load(self.files[i])

    def __getitem__(self, i):
        return self._read(i)


class Small(Dataset):
    def __init__(self, files):
        self.files = files

    def __len__(self):
        return len(self.files)

    @functools.lru_cache(maxsize=8)
    def open(self, shard):
        return np.load(self.files[shard], mmap_mode="r")

    def __getitem__(self, i):
        return self.open(i // 1000)[i % 1000]


def main(files):
    for ds in (SliceDs(files), Lru(files), Small(files)):
        for b in DataLoader(ds, batch_size=4, num_workers=6):
            print(b.shape)
