from torch import nn


class TransformNet(nn.Module):
    def __init__(self, c=32):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, c, 9, padding=4), nn.InstanceNorm2d(c), nn.ReLU(), nn.Conv2d(c, 3, 9, padding=4))

    def forward(self, x):
        return self.body(x)
