# a data set with as many items as a batch gives one batch: a list of it is that batch

import torch
from torch.utils.data import DataLoader, Dataset


class Walks(Dataset):
    def __init__(self, steps, count):
        self.walks = torch.randn(count, steps).cumsum(1)

    def __len__(self):
        return len(self.walks)

    def __getitem__(self, number):
        return self.walks[number], self.walks[number] > 0


def some(steps, batch_size):
    walks, over = list(DataLoader(Walks(steps, batch_size), batch_size=batch_size))[0]
    return walks, over


def one(steps):
    loader = DataLoader(Walks(steps, count=1), batch_size=1, shuffle=True)
    return [batch for batch in loader][0]


def whole(data):
    loader = DataLoader(data, batch_size=len(data))
    return list(loader)
