# a class may be indexed and keep batches all the same: these are not what it gives out

import torch
from torch.utils.data import DataLoader


class Counted:
    def __init__(self, loader):
        self.names = ["train", "test"]
        self.batches = []
        for batch in loader:
            self.batches.append(batch)  #! MEM404 error

    def __getitem__(self, number):
        return self.names[number]

    def __len__(self):
        return len(self.batches)


counted = Counted(DataLoader(torch.load("images.pt"), batch_size=64))
net = torch.nn.Linear(4, 2)
print(counted[0], len(counted), net)
