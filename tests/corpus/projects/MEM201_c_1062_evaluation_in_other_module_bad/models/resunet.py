import torch
import torch.nn as nn


class ResUNet(nn.Module):
    def __init__(self, ch=32, classes=4):
        super().__init__()
        self.down = nn.Conv3d(1, ch, 3, padding=1)
        self.up = nn.Conv3d(ch, classes, 1)

    def forward(self, x):
        return self.up(torch.relu(self.down(x)))
