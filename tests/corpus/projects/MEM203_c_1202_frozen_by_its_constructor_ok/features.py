import torch
from torch import nn


class Features(nn.Module):
    def __init__(self, trainable=False):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 16, 3, padding=1))
        if not trainable:
            for weight in self.parameters():
                weight.requires_grad = False

    def forward(self, images):
        return self.body(images)
