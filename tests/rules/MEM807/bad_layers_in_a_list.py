# layers in a list that is filled before it becomes a Sequential

import torch
from torch import nn


def discriminator(width, depth):
    layers = [nn.Conv2d(3, width, 4, stride=2, padding=1), nn.LeakyReLU(0.2)]  #! MEM807 advice
    for _ in range(depth):
        layers += [nn.Conv2d(width, width, 4, padding=1), nn.BatchNorm2d(width), nn.ELU()]
    return nn.Sequential(*layers)


net = discriminator(64, 3).cuda()
for x in torch.load("data.pt"):
    net(x.cuda()).mean().backward()
