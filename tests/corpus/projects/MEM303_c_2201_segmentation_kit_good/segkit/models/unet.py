import torch
import torch.nn as nn


def block(a, b):
    return nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, channels, classes, width=32):
        super().__init__()
        self.enc1, self.enc2 = block(channels, width), block(width, 2 * width)
        self.pool, self.up = nn.MaxPool2d(2), nn.Upsample(scale_factor=2)
        self.dec = block(3 * width, width)
        self.out = nn.Conv2d(width, classes, 1)
        self.aux = nn.Conv2d(2 * width, classes, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc2(self.pool(a))
        y = self.out(self.dec(torch.cat([a, self.up(b)], 1)))
        return y, self.up(self.aux(b))
