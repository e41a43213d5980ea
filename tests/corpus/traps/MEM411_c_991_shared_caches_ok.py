import multiprocessing as mp
from functools import lru_cache

import numpy as np
from torch.utils.data import DataLoader, Dataset


class Shared(Dataset):
    def __init__(self, files):
        self.files = np.array(files, dtype=np.bytes_)
        self.cache = mp.Manager().dict()

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        if i not in self.cache:
            self.cache[i] = np.load(self.files[i].decode())
        return self.cache[i]


class H5(Dataset):
    def __init__(self, path):
        self.path, self.h5 = path, None

    def __len__(self):
        return 10

    def __getitem__(self, i):
        import h5py

        if self.h5 is None:
            self.h5 = h5py.File(self.path, "r")
        return self.h5["x"][i]


@lru_cache(maxsize=None)
def vocab():
    return {w: i for i, w in enumerate(open("v.txt"))}


if __name__ == "__main__":
    for b in DataLoader(Shared(["a.npy"]), num_workers=2):
        print(b)
    for b in DataLoader(H5("a.h5"), num_workers=2):
        print(b, len(vocab()))
