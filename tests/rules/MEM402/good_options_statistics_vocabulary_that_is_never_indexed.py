# what no item is taken from: options, statistics, a vocabulary that is never indexed

import json

import torch
from torch.utils.data import DataLoader, Dataset


class Noise(Dataset):
    def __init__(self, path):
        self.settings = json.load(open(path))
        self.x = torch.randn(1000, 8)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i]

    def describe(self):
        return self.settings["title"]


net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Noise("settings.json"), batch_size=4, num_workers=4):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
