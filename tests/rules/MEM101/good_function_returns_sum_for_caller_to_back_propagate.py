# the function returns the sum for the caller to back-propagate

import torch
from torch import nn


def perceptual_loss(vgg_blocks, x, y):
    loss = 0.0
    for block in vgg_blocks:
        x, y = block(x), block(y)
        loss += nn.functional.l1_loss(x, y)
    return loss


blocks = nn.ModuleList(nn.Conv2d(3, 3, 3, padding=1) for _ in range(3))
net = nn.Conv2d(3, 3, 3, padding=1)
opt = torch.optim.Adam(net.parameters())
for i in range(10):
    img = torch.rand(1, 3, 16, 16)
    loss = perceptual_loss(blocks, net(img), img)
    opt.zero_grad()
    loss.backward()
    opt.step()
