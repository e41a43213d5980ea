# the weights lie beside the code, for everybody: they were saved from a CPU

import os

import torch
from torch import nn


class Finder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        path = os.path.join(os.path.dirname(__file__), "../data/finder.pt")
        self.load_state_dict(torch.load(path))

    def forward(self, x):
        return self.conv(x)


net = Finder().cuda()
