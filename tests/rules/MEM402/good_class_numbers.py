# small whole numbers are shared by CPython: reading them writes nothing

import json

import torch
from torch.utils.data import DataLoader, Dataset


class Labels(Dataset):
    def __init__(self, path):
        self.labels = []
        for line in open(path):
            self.labels.append(int(line))
        self.stars = json.load(open("stars.json"))

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.labels[i], torch.LongTensor([self.stars[i]])


loader = DataLoader(Labels("y.txt"), batch_size=8, num_workers=4)
