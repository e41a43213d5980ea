# A vector for every item of a batch is a small matrix, whatever dimensions of size one it has besides.

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))

    def forward(self, hidden):
        scale = self.scale.view(1, 1, -1).repeat(hidden.shape[0], 1, 1)  #! MEM414 advice
        return hidden * scale
