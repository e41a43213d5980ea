import os
import sys
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms as T


class Pics(Dataset):
    def __init__(self, files):
        self.files, self.tf = files, T.Compose([T.Resize(64), T.ToTensor()])

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return self.tf(Image.open(self.files[i]))


def get_loader(files, **kwargs):
    nw = 0 if sys.platform.startswith("win") else 4
    return DataLoader(Pics(files), batch_size=32, num_workers=nw, **kwargs)


def other(files, kwargs):
    return DataLoader(Pics(files), **kwargs)


def third(files, debug):
    return DataLoader(Pics(files), batch_size=4, num_workers=0 if debug else os.cpu_count())
