# what is wrapped puts pictures together and has no weights, and losses have none

import torch
from torch import nn


class Together(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.parts = shape[0] * shape[1]

    def forward(self, x):
        return torch.stack(torch.split(x, self.parts)).reshape(-1, *self.shape)


def train(net, loader):
    join = nn.DataParallel(Together((7, 7)))
    loss = nn.DataParallel(nn.CrossEntropyLoss())
    shrink = nn.DataParallel(nn.Sequential(nn.AvgPool2d(2), nn.Flatten()))
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss(net(shrink(join(x.cuda()))), y.cuda()).mean().backward()
        optimizer.step()
