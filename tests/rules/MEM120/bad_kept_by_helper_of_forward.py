# the map is stored by a method that forward calls, and read by code that draws it

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k = nn.Linear(8, 8), nn.Linear(8, 8)

    def weigh(self, x):
        self.map = torch.softmax(self.q(x) @ self.k(x).transpose(1, 2), -1)  #! MEM120 advice
        return self.map @ x

    def forward(self, x):
        return self.weigh(x)


def draw(model, axes):
    axes.imshow(model.map[0].detach().cpu())
