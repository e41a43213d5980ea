# launching training processes by spawn does not change how loaders start workers

import numpy as np
import torch
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, Dataset


class Tiles(Dataset):
    def __init__(self, path):
        self.tiles = np.load(path)

    def __len__(self):
        return len(self.tiles)

    def __getitem__(self, i):
        return torch.from_numpy(self.tiles[i])


def worker(rank, world):
    net = torch.nn.LazyLinear(1).to(rank)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in DataLoader(Tiles("tiles.npy"), batch_size=8, num_workers=4):
        opt.zero_grad()
        net(x.to(rank).flatten(1)).mean().backward()
        opt.step()


if __name__ == "__main__":
    mp.spawn(worker, args=(2,), nprocs=2)
