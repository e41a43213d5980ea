import os
import platform
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, paths, transform):
        self.paths, self.transform = paths, transform

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        return self.transform(Image.open(self.paths[i]))


def loaders(paths, tf, batch):
    workers = 0 if platform.system() == "Windows" else os.cpu_count()
    train = DataLoader(Images(paths, tf), batch, shuffle=True, num_workers=0 if os.name == "nt" else 4)
    val = DataLoader(Images(paths, tf), batch, num_workers=workers)
    return train, val


def train(model, paths, tf):
    tr, va = loaders(paths, tf, 32)
    opt = torch.optim.SGD(model.parameters(), 0.01)
    for x in tr:
        loss = model(x).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
