"""Loaders without workers that have their reasons."""
import os
import sqlite3

import h5py
import lmdb
import torch
import webdataset as wds
from PIL import Image
from torch.utils.data import ConcatDataset, DataLoader, Dataset, IterableDataset, Subset, TensorDataset, random_split
from torchvision import transforms as T


class Stream(IterableDataset):
    def __init__(self, shards):
        self.shards = shards

    def __iter__(self):
        for s in self.shards:
            with open(s, "rb") as f:
                for line in f:
                    yield torch.frombuffer(bytearray(line[:64]), dtype=torch.uint8).float()


class OpenFile(Dataset):
    def __init__(self, path):
        self.file = h5py.File(path, "r")

    def __len__(self):
        return len(self.file["x"])

    def __getitem__(self, i):
        return torch.from_numpy(self.file["x"][i])


class Lmdb(Dataset):
    def __init__(self, path):
        self.env = lmdb.open(path, readonly=True, lock=False)
        with self.env.begin() as txn:
            self.n = txn.stat()["entries"]

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        with self.env.begin() as txn:
            return torch.frombuffer(bytearray(txn.get(str(i).encode())), dtype=torch.float32)


class Rows(Dataset):
    def __init__(self, db):
        self.con = sqlite3.connect(db)

    def __len__(self):
        return 1000

    def __getitem__(self, i):
        return torch.tensor(self.con.execute("select v from t where id=?", (i,)).fetchone())


def train(loader, net, opt):
    for ep in range(3):
        for batch in loader:
            x = batch[0] if isinstance(batch, (list, tuple)) else batch
            opt.zero_grad()
            net(x).mean().backward()
            opt.step()


if __name__ == "__main__":
    net = torch.nn.Linear(64, 1)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    x, y = torch.randn(1000, 64), torch.randn(1000, 1)
    a, b = random_split(TensorDataset(x, y), [900, 100])
    train(DataLoader(a, 32, shuffle=True), net, opt)
    train(DataLoader(Subset(TensorDataset(x), range(100)), 32), net, opt)
    train(DataLoader(ConcatDataset([TensorDataset(x), TensorDataset(x)]), 32), net, opt)
    train(DataLoader(Stream(["a", "b"]), batch_size=4), net, opt)
    train(DataLoader(OpenFile("x.h5"), batch_size=4), net, opt)
    train(DataLoader(Lmdb("db"), batch_size=4), net, opt)
    train(DataLoader(Rows("x.db"), batch_size=4, num_workers=0), net, opt)
    train(wds.WebLoader(wds.WebDataset("a-{0..9}.tar").decode("torchrgb"), batch_size=4), net, opt)
