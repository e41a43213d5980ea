# a small array

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Spirals(Dataset):
    def __init__(self, n=1000):
        self.points = np.random.randn(n, 2).astype("float32")
        self.colours = np.array([0, 1])

    def __len__(self):
        return len(self.points)

    def __getitem__(self, i):
        return torch.from_numpy(self.points[i]) + self.colours[i % 2]


if __name__ == "__main__":
    net = torch.nn.Linear(2, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in DataLoader(Spirals(), batch_size=8, num_workers=2, multiprocessing_context="spawn"):
        opt.zero_grad()
        net(x.float()).mean().backward()
        opt.step()
