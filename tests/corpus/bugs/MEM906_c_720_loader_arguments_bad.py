import os
import random

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils import data as tud


class Speech(tud.Dataset):
    def __init__(self, root):
        self.files = sorted(os.listdir(root))

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return torch.from_numpy(np.load(self.files[i]))


def get_loaders(root, bs):
    ds = Speech(root)
    n = int(0.9 * len(ds))
    train, val = tud.random_split(ds, [n, len(ds) - n])
    weights = [random.random() for _ in range(n)]
    sampler = tud.WeightedRandomSampler(weights, num_samples=n, replacement=True)
    train_dl = tud.DataLoader(train, batch_size=bs, sampler=sampler, shuffle=True, num_workers=8)  #! MEM906
    val_dl = tud.DataLoader(val, bs, num_workers=0, prefetch_factor=8, pin_memory=True)  #! MEM906
    return train_dl, val_dl


def fit(model, root, opt):
    train_dl, val_dl = get_loaders(root, 16)
    for x in train_dl:
        opt.zero_grad()
        F.l1_loss(model(x), x).backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        return [F.l1_loss(model(x), x).item() for x in val_dl]
