import glob

import numpy as np
import torch
import torch.multiprocessing
from torch.utils.data import DataLoader, Dataset


class Spectra(Dataset):
    """Everything is read into memory once."""

    def __init__(self, pattern):
        self.names = sorted(glob.glob(pattern))
        self.spectra = torch.stack([torch.from_numpy(np.load(name)["s"]) for name in self.names])
        self.meta = torch.stack([torch.from_numpy(np.load(name)["m"]) for name in self.names])

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        return self.spectra[i], self.meta[i]


def train():
    loader = DataLoader(Spectra("data/*.npz"), batch_size=32, shuffle=True, num_workers=4, pin_memory=True)
    net = torch.nn.LazyLinear(3).cuda()
    opt = torch.optim.AdamW(net.parameters())
    for epoch in range(10):
        for x, y in loader:
            loss = (net(x.cuda(non_blocking=True)) - y.cuda(non_blocking=True)).abs().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()


if __name__ == "__main__":
    torch.multiprocessing.set_start_method("spawn")
    train()
