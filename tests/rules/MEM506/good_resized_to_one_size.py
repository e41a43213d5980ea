# every batch is resized to the same size

import torch
import torch.nn.functional as F


def train(net, loader, opt):
    for x in loader:
        x = F.interpolate(x.cuda(), size=640)
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
