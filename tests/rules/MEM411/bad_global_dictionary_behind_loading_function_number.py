# a global dictionary behind a loading function; the number of workers is the caller's

import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.datasets import ImageFolder

LOADED = {}


def fetch(path):
    if path in LOADED:
        return LOADED[path]
    blob = torch.load(path)
    LOADED[path] = blob  #! MEM411 warning
    return blob


class Blobs(Dataset):
    def __init__(self, paths):
        self.paths = paths
        self.seen = {}

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        return fetch(self.paths[i])


class Slow(Dataset):
    def __init__(self, base):
        self.base, self.items = base, {}

    def __len__(self):
        return len(self.base)

    def __getitem__(self, i):
        return self.items.setdefault(i, self.base.compute(i))  #! MEM411 advice


def train(net, opt, paths, base, num_workers):
    first = DataLoader(Blobs(paths), batch_size=4, num_workers=2)
    for x, z in zip(first, DataLoader(Slow(base), batch_size=4, num_workers=num_workers)):
        opt.zero_grad()
        (net(x) - net(z)).mean().backward()
        opt.step()
