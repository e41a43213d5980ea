import torch
import numpy as np
from torch.utils.data import DataLoader, Dataset

CACHE = {}


def load(path):
    if path in CACHE:
        return CACHE[path]
    arr = np.load(path)
    CACHE[path] = arr  #! MEM411
    return arr


class Patches(Dataset):
    def __init__(self, paths):
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        return torch.from_numpy(load(self.paths[i]))  #= MEM411


def main(paths, net):
    dl = DataLoader(Patches(paths), 8, shuffle=True, num_workers=4, persistent_workers=True)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for e in range(20):
        for x in dl:
            opt.zero_grad()
            net(x).mean().backward()
            opt.step()
