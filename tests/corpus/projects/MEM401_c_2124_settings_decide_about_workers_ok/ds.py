import lmdb
import torch
from torch.utils.data import Dataset


def make_arrays():
    return torch.randn(100, 4), torch.randn(100)


class TextSet(Dataset):
    def __init__(self):
        self.lines = open("t.txt").readlines()[:500]

    def __len__(self):
        return 500

    def __getitem__(self, i):
        return torch.zeros(4), open(self.lines[i]).read().count("a")


class LmdbSet(Dataset):
    def __init__(self, p):
        self.env = lmdb.open(p)

    def __len__(self):
        return 10

    def __getitem__(self, i):
        with self.env.begin() as t:
            return torch.frombuffer(t.get(str(i).encode()), dtype=torch.float32), 0
