# The parameter is added to a batch as it is: all batches have its length.

import torch
from torch import nn
from torch.utils.data import Dataset

LENGTH = 256


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.positions = nn.Parameter(torch.zeros(1, LENGTH, width))

    def forward(self, x):
        return x + self.positions


class Rows(Dataset):
    def __getitem__(self, index):
        ids = self.rows[index]
        return torch.tensor(ids + [0] * (LENGTH - len(ids)))
