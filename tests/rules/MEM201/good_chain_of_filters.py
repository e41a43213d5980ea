# a chain of modules without weights records nothing, as the class of each shows

import torch
from torch import nn
from torch.nn import functional as F


class Blur(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, x):
        return F.avg_pool2d(x, self.size)


chain = nn.Sequential(Blur(3), nn.ReLU()).eval()
found = []
for x in torch.load("images.pt"):
    found.append(chain(x))
