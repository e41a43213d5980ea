# torch tensors are shared with the workers

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Tiles(Dataset):
    def __init__(self, path):
        self.tiles = torch.from_numpy(np.load(path))

    def __len__(self):
        return len(self.tiles)

    def __getitem__(self, i):
        return self.tiles[i]


if __name__ == "__main__":
    net = torch.nn.LazyLinear(1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in DataLoader(Tiles("tiles.npy"), batch_size=8, num_workers=4, multiprocessing_context="spawn"):
        opt.zero_grad()
        net(x.flatten(1)).mean().backward()
        opt.step()
