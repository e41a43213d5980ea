# the entries that fit are copied into the state of the network

import torch
from torch import nn


class Tower(nn.Module):
    def __init__(self, path):
        super().__init__()
        self.body = nn.Conv2d(3, 64, 3).cuda()
        self.take_over(torch.load(path))  #! MEM701 warning

    def take_over(self, weights):
        own = self.state_dict()
        for name, value in weights.items():
            if name in own and own[name].shape == value.shape:
                own[name].copy_(value)
