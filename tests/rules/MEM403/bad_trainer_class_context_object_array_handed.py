# trainer class, context object, array handed over by the caller

import multiprocessing

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, series, width):
        self.series = series  #! MEM403 warning
        self.width = width

    def __len__(self):
        return len(self.series) - self.width

    def __getitem__(self, i):
        return torch.as_tensor(self.series[i : i + self.width], dtype=torch.float32)


class Fit:
    def __init__(self, series):
        context = multiprocessing.get_context("spawn")
        self.loader = DataLoader(Windows(series, 64), 32, num_workers=3, multiprocessing_context=context)
        self.net = torch.nn.Linear(64, 1)
        self.opt = torch.optim.Adam(self.net.parameters())

    def run(self):
        for x in self.loader:
            self.opt.zero_grad()
            self.net(x).mean().backward()
            self.opt.step()


if __name__ == "__main__":
    Fit(np.loadtxt("load.csv", delimiter=",")).run()
