# the items are patches that a method of the class draws itself, one after the other

import torch
from torch.utils.data import Dataset


class Patches(Dataset):
    def __init__(self, volume, size):
        self.volume, self.size = volume, size

    def __len__(self):
        return len(self.volume) // self.size

    def __getitem__(self, i):
        return self.volume[i * self.size : (i + 1) * self.size].cuda(), i


class Prediction(Patches, Dataset):
    def __init__(self, volume, size, network):
        super().__init__(volume, size)
        self.network, self.found = network, torch.zeros_like(volume)

    def __getitem__(self, i):
        patch, i = super().__getitem__(i)
        with torch.no_grad():
            self.found[i * self.size : (i + 1) * self.size] = self.network(patch.to("cuda")).cpu()

    def run(self):
        for i in range(len(self)):
            self[i]
        return self.found
