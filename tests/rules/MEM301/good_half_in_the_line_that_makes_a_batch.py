# what is cast is no network: the class reads pictures

import torch
from torch import nn

from data import Frames

net = nn.Linear(8, 2).cuda()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for path in open("paths.txt"):
    frames = Frames(path).cuda().half()
    opt.zero_grad()
    net(frames.float()).mean().backward()
    opt.step()
