# by its annotation a list; parts beside their lengths; samples taken apart with zip

import torch
from torch.utils.data import Dataset


class Lines(Dataset):
    def __init__(self, dl: list):
        self.items = []
        for line in dl:
            self.items.append(line)


def merge(loader, limit):
    heap = [(len(part), part) for part in loader]
    return heap[:limit]


def answers(net, test_loader, decode):
    rows = []
    for group in test_loader:
        for question, answer in zip(group["question"], decode(net, group)):
            rows.append((question, answer))
    return rows
