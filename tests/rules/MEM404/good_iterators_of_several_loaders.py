# What is called a loader may be a tuple of them: an iterator of each is kept, no batch.

import torch
from torch.utils.data import DataLoader


class Problem:
    def __init__(self, train_data_loader):
        self.train_data_loader = train_data_loader

    def start(self):
        if not isinstance(self.train_data_loader, tuple):
            self.train_data_loader = (self.train_data_loader,)
        self.iterators = [iter(each) for each in self.train_data_loader]

    def batch(self, i):
        return next(self.iterators[i])


def loaders(data):
    return DataLoader(data, batch_size=4), torch.utils.data.DataLoader(data, batch_size=8)


def begin(val_loader):
    iterators = []
    for one_loader in val_loader:
        iterators.append(iter(one_loader))
    return iterators
