# a managed dictionary and shared tensors are the same for all

import multiprocessing

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Scans(Dataset):
    def __init__(self, paths, cache):
        self.paths, self.cache = paths, cache
        self.pixels = torch.zeros(len(paths), 64, 64).share_memory_()

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, idx):
        if idx not in self.cache:
            self.cache[idx] = np.load(self.paths[idx])
            self.pixels[idx] = torch.from_numpy(self.cache[idx])
        return self.pixels[idx]


if __name__ == "__main__":
    manager = multiprocessing.Manager()
    net = torch.nn.LazyLinear(1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in DataLoader(Scans(["a.npy"], manager.dict()), batch_size=2, num_workers=2):
        opt.zero_grad()
        net(x.flatten(1)).mean().backward()
        opt.step()
