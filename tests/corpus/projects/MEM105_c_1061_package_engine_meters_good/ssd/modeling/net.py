import torch.nn as nn


class SSDHead(nn.Module):
    def __init__(self, num_classes=21):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(3, 64, 3, 2, 1), nn.ReLU(), nn.Conv2d(64, 128, 3, 2, 1), nn.ReLU())
        self.cls, self.reg = nn.Conv2d(128, num_classes, 1), nn.Conv2d(128, 4, 1)

    def forward(self, x):
        f = self.trunk(x)
        return self.cls(f).flatten(2).transpose(1, 2), self.reg(f).flatten(2).transpose(1, 2)
