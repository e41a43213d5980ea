# The feature network has no weights that require gradients; the graph must run through it to the image.
import torch
from torch import nn
from torchvision.models import vgg16


class Perceptual(nn.Module):
    def __init__(self, layers=(3, 8)):
        super().__init__()
        self.features = vgg16(weights=None).features[: max(layers) + 1].eval().requires_grad_(False)
        self.layers = layers

    def forward(self, a, b):
        total = 0.0
        for i, layer in enumerate(self.features):
            a, b = layer(a), layer(b)
            if i in self.layers:
                total = total + (a - b).abs().mean()
        return total


net, criterion = nn.Conv2d(3, 3, 3, padding=1), Perceptual()
opt = torch.optim.Adam(net.parameters())
for _ in range(5):
    image = torch.rand(1, 3, 64, 64)
    loss = criterion(net(image), image)
    opt.zero_grad()
    loss.backward()
    opt.step()
