# What is made once, with the module, is not made in each step.

import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, length, width):
        super().__init__()
        rates = torch.arange(0, width, 2).unsqueeze(0).repeat(length, 1) / width
        self.register_buffer("table", torch.sin(rates))
