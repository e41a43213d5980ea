# a module that runs its network once for each setting and demands shapes of what comes out

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width, normalize=False):
        super().__init__()
        self.layer = nn.Conv2d(3, width, 3)
        self.head = nn.Conv2d(width, 4, 1)
        self.norm = nn.BatchNorm2d(width) if normalize else nn.Identity()

    def forward(self, x, history=None):
        hidden = self.norm(self.layer(x))
        if history is not None:
            hidden = hidden + history
        return self.head(hidden), hidden


if __name__ == "__main__":
    for normalize in (True, False):
        net = Net(32, normalize=normalize)
        images = torch.randn(2, 3, 256, 256)
        preds, history = net(images)
        assert preds.shape == (2, 4, 254, 254)
        preds, _ = net(images, history=history)
        assert preds.shape == (2, 4, 254, 254)
    for width in (8, 16):
        logits, parts = Net(width)(torch.randn(2, 3, 256, 256))
        assert logits.shape == (2, 4, 254, 254)
        assert isinstance(parts, torch.Tensor) and len(parts) == 2
