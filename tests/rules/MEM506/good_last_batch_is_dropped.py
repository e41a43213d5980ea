# cuDNN's benchmark with batches of one shape

import torch
from torch import nn
from torch.utils.data import DataLoader


def main(images):
    torch.backends.cudnn.benchmark = True
    net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.Flatten(), nn.LazyLinear(10)).cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = DataLoader(images, batch_size=64, shuffle=True, drop_last=True)
    for x, y in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
        opt.step()
