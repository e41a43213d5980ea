"""How far pictures are apart."""

import torch


class Distance(torch.nn.Module):
    def __init__(self, power=2.0):
        super().__init__()
        self.power = power

    def forward(self, found, wanted):
        return ((found - wanted).abs() ** self.power).mean()
