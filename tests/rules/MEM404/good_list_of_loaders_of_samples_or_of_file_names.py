# a list of loaders, of samples or of file names is no list of batches

import torch
from torch.utils.data import ConcatDataset, DataLoader


def build(sets, paths):
    loaders = [DataLoader(s, batch_size=32) for s in sets]
    names = sorted(paths)
    members = list(ConcatDataset(sets).datasets)
    return list(loaders), names, members, tuple(len(loader) for loader in loaders)
