# fork shares arrays

import multiprocessing as mp

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Tiles(Dataset):
    def __init__(self, path):
        self.tiles = np.load(path)

    def __len__(self):
        return len(self.tiles)

    def __getitem__(self, i):
        return torch.from_numpy(self.tiles[i])


mp.set_start_method("fork")
net = torch.nn.LazyLinear(1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Tiles("tiles.npy"), batch_size=8, num_workers=4):
    opt.zero_grad()
    net(x.flatten(1)).mean().backward()
    opt.step()
