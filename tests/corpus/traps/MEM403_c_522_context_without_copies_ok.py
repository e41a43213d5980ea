import sys

import numpy as np
import torch
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, Dataset


class Wave(Dataset):
    RATES = np.array([8000, 16000, 44100])

    def __init__(self, path, n):
        self.wave = torch.as_tensor(np.fromfile(path, dtype=np.float32))
        self.raw = np.memmap(path, dtype=np.float32, mode="r")
        self.window = np.hanning(512)
        self.scale = np.ones(16)
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return self.wave[i : i + 512] * float(self.scale[i % 16]) + float(self.raw[i])


class Frozen(Dataset):
    def __init__(self):
        self.table = np.load("table.npy")

    def __len__(self):
        return len(self.table)

    def __getitem__(self, i):
        return torch.from_numpy(self.table[i])


def worker(rank, queue):
    queue.put(rank)


def main():
    context = mp.get_context("spawn")
    queue = context.Queue()
    helper = context.Process(target=worker, args=(0, queue))
    helper.start()
    net = torch.nn.Linear(512, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    how = "spawn" if sys.platform == "win32" else None
    for x, _ in zip(
        DataLoader(Wave("a.raw", 1000), batch_size=8, num_workers=2, multiprocessing_context="spawn"),
        DataLoader(Frozen(), batch_size=8, num_workers=2, persistent_workers=how is None),
    ):
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
    helper.join()


if __name__ == "__main__":
    main()
