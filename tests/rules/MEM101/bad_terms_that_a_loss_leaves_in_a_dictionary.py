# the loss keeps its terms on itself, and they keep the nodes of their step

import torch
from torch import nn


class PerceptualLoss(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.last = {}

    def forward(self, a, b):
        pixel = (a - b).abs().mean()
        feature = (self.net(a) - self.net(b)).pow(2).mean()
        self.last = {"pixel": pixel, "feature": feature}
        return pixel + 0.1 * feature


def run(generator, vgg, loader):
    judge = PerceptualLoss(vgg).cuda()
    optimizer = torch.optim.Adam(generator.parameters())
    features = 0
    for x, y in loader:
        loss = judge(generator(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        features += judge.last["feature"]  #! MEM101 warning
    return features
