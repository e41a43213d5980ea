# torch refuses a negative slope in place

import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 64, 3), nn.LeakyReLU(-0.2), nn.Conv2d(64, 8, 3), nn.ELU(alpha=-1.0)).cuda()
for x in torch.load("data.pt"):
    net(x.cuda()).mean().backward()
