# The class around a pretrained network makes it one to freeze, whatever terms stand beside it; labels without a gradient freeze nothing.

import torch
import torchvision
from torch import nn
from torch.autograd import Variable


class Perceptual(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = torchvision.models.vgg19(weights="DEFAULT").features[:18].eval()
        self.distance = nn.L1Loss()

    def forward(self, made, wanted):
        return self.distance(self.features(made), self.features(wanted))


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Perceptual()

    def forward(self, made, wanted):
        return self.inner(made, wanted)


def train(loader):
    net = nn.Conv2d(3, 3, 3, padding=1)
    near = Perceptual().cuda()  #! MEM205 warning
    far = Outer().cuda()  #! MEM205 warning
    opt = torch.optim.Adam(net.parameters())
    for x, y in loader:
        valid = Variable(torch.ones(4), requires_grad=False)
        made = net(x)
        loss = near(made, y) + far(made, y) + valid.sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
