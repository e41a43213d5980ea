# the dataset holds an open file handle, which no worker may share

import h5py
import torch
from torch.utils.data import DataLoader, Dataset


class Cells(Dataset):
    def __init__(self, path):
        self.file = h5py.File(path, "r")

    def __len__(self):
        return len(self.file["x"])

    def __getitem__(self, i):
        return torch.from_numpy(self.file["x"][i])


net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Cells("cells.h5"), batch_size=16):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
