import h5py
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset


class H5(Dataset):
    def __init__(self, path):
        self.f = h5py.File(path, "r")
        self.x = self.f["x"]

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return torch.from_numpy(self.x[i])


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path) as f:
            for line in f:
                yield torch.tensor([float(v) for v in line.split(",")])


a = DataLoader(H5("a.h5"), batch_size=32, num_workers=0)
b = DataLoader(Lines("b.csv"), batch_size=32)
