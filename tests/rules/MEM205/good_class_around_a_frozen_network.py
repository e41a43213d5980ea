# The class of the loss freezes its network itself; a class of plain terms has nothing to freeze.

import torch
import torchvision
from torch import nn


class Perceptual(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = torchvision.models.vgg19(weights="DEFAULT").features[:18].eval()
        for parameter in self.features.parameters():
            parameter.requires_grad = False

    def forward(self, made, wanted):
        return (self.features(made) - self.features(wanted)).abs().mean()


class Terms(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.L1Loss()
        self.second = Perceptual()

    def forward(self, made, wanted):
        return self.first(made, wanted) + self.second(made, wanted)


def train(net, loader):
    terms = Terms().cuda()
    opt = torch.optim.Adam(net.parameters())
    for x, y in loader:
        opt.zero_grad()
        terms(net(x), y).backward()
        opt.step()
