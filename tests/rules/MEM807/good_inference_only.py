# nothing is trained

import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 64, 3), nn.LeakyReLU(0.2)).cuda().eval()
with torch.no_grad():
    print(net(torch.load("x.pt").cuda()).mean())
