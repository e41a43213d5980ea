# no entry of the list has weights, so what they give has no graph

import torch
from torch import nn


class Shrink(nn.Module):
    def __init__(self, level):
        super().__init__()
        self.level = level

    def forward(self, x, threshold):
        return torch.sign(x) * torch.relu(x.abs() - threshold * self.level)


stages = nn.ModuleList([Shrink(level) for level in range(3)])
shrunk = []
for images in torch.utils.data.DataLoader(torch.load("images.pt")):
    for n in range(len(stages)):
        shrunk.append(stages[n](images, 0.1))
print(torch.cat(shrunk).shape)
