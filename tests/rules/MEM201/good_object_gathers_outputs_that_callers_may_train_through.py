# the network is one that the object was given, is frozen, or its outputs stay where a caller may train through them

import torch
from torch import nn
from torchvision import models


class Given:
    def __init__(self, net):
        self.net = net.cuda().eval()

    def run(self, images, size=64):
        parts = (torch.stack(images[i : i + size]).cuda() for i in range(0, len(images), size))
        return torch.cat([self.net(part).cpu() for part in parts])


class Frozen:
    def __init__(self):
        self.net = models.resnet50(weights="DEFAULT").requires_grad_(False).cuda().eval()

    def run(self, images, size=64):
        out = []
        for start in range(0, len(images), size):
            out.append(self.net(torch.stack(images[start : start + size]).cuda()).cpu())
        return torch.cat(out)


class OnTheDevice:
    def __init__(self):
        self.net = models.resnet50(weights="DEFAULT").cuda().eval()

    def run(self, crops):
        return torch.cat([self.net(crop.cuda()) for crop in crops])


class Perceptual(nn.Module):
    def __init__(self):
        super().__init__()
        self.vgg = models.vgg16(weights="DEFAULT").eval()

    def forward(self, x):
        found = []
        for layer in self.vgg.features:
            x = layer(x)
            found.append(x)
        return found
