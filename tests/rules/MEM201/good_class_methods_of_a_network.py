# methods of a network that only belong to its class

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, 2)

    @classmethod
    def from_file(cls, path):
        net = cls(10)
        net.load_state_dict(torch.load(path, map_location="cpu"))
        return net.eval()

    @staticmethod
    def collate(batch):
        return torch.stack([x for x in batch])

    @torch.no_grad()
    def predict(self, loader):
        return [self(x).cpu() for x in loader]

    def forward(self, x):
        return self.fc(x)
