# a table of zeros takes no gradients as it is: the misspelt switch is left over, and what was meant holds anyway

import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, width, longest=5000):
        super().__init__()
        table = torch.zeros(longest, width).float()
        table.require_grad = False
        place = torch.arange(0, longest).float().unsqueeze(1)
        table[:, 0::2] = torch.sin(place)
        self.register_buffer("table", table.unsqueeze(0))

    def forward(self, x):
        return self.table[:, : x.size(1)]
