# sizes in view that make a large map

import torch
from torch import nn


class Slots(nn.Module):
    def __init__(self):
        super().__init__()
        self.slots = nn.Parameter(torch.zeros(4096, 8, 16))
        self.attend = nn.MultiheadAttention(16, 2)

    def forward(self):
        mixed, _ = self.attend(self.slots, self.slots, self.slots)  #! MEM803
        return mixed


class Windows(nn.Module):
    def forward(self, q, k, v):
        q, k = q.view(8, 1024, 32), k.view(8, 1024, 32)
        weights = torch.softmax(q @ k.transpose(1, 2) / 32**0.5, dim=-1)  #! MEM803
        return weights @ v
