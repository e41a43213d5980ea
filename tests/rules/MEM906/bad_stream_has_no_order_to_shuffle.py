# a stream has no order to shuffle

import torch
from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path) as file:
            for line in file:
                yield torch.tensor([float(v) for v in line.split()])


stream = Lines("data.txt")
for batch in DataLoader(stream, batch_size=8, shuffle=True):  #! MEM906 error
    print(batch.sum())
