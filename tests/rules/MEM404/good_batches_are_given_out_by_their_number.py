# a class that is a list of batches keeps them on purpose: it gives them out by their number

import torch
from torch.utils.data import DataLoader


class Fixed:
    def __init__(self, loader):
        self.batches = []
        for batch in loader:
            self.batches.append(batch)

    def __getitem__(self, number):
        return self.batches[number]

    def __len__(self):
        return len(self.batches)


fixed = Fixed(DataLoader(torch.load("images.pt"), batch_size=64))
net = torch.nn.Linear(4, 2)
with torch.no_grad():
    print(net(fixed[0]), net(fixed[1]))
