# A vector for every token of every item is as large as the activations.

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))

    def forward(self, hidden):
        scale = self.scale.view(1, 1, -1).repeat(hidden.shape[0], hidden.shape[1], 1)  #! MEM414
        return hidden * scale
