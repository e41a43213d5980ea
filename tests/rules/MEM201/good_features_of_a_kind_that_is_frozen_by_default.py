# The kind of network that is made by default takes the gradients from its weights; those of others do not.

import torch
from torchvision import models


class Layers(torch.nn.Module):
    def __init__(self, requires_grad=False):
        super().__init__()
        features = models.vgg16(weights="DEFAULT").features
        self.first, self.second = torch.nn.Sequential(), torch.nn.Sequential()
        for i in range(4):
            self.first.add_module(str(i), features[i])
        for i in range(4, 9):
            self.second.add_module(str(i), features[i])
        if not requires_grad:
            for param in self.parameters():
                param.requires_grad = False

    def forward(self, x):
        h = self.first(x)
        return h, self.second(h)


class Residual(torch.nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.net = models.resnet18(weights="DEFAULT") if depth == 18 else models.resnet34(weights="DEFAULT")

    def forward(self, x):
        h = self.net.layer1(x)
        return h, self.net.layer2(h)


class Similarity(torch.nn.Module):
    def __init__(self, kind="vgg"):
        super().__init__()
        self.kind = kind
        if self.kind in ["vgg", "vgg16"]:
            self.net = Layers(requires_grad=False)
        elif self.kind[:-2] == "resnet":
            self.net = Residual(int(self.kind[-2:]))

    def forward(self, a, b):
        return sum((x - y).abs().mean() for x, y in zip(self.net(a), self.net(b)))


def similarity(a, b, net):
    return net(a * 2 - 1, b * 2 - 1)


def compare(pairs, read):
    net = Similarity().to("cuda")
    net.eval()
    found = []
    for left, right in pairs:
        found.append(similarity(read(left).cuda(), read(right).cuda(), net).item())
    return found
