# an average or a sum that begins with a loss: detaching later terms alone would leave a chain from the first one

import torch
from torch import nn


def train(net: nn.Module, loader, opt: torch.optim.Optimizer):
    net.cuda()
    smooth, total, worst = None, None, 0.0
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
        opt.zero_grad()
        loss.backward()
        opt.step()
        smooth = loss if smooth is None else (0.9 * smooth + 0.1 * loss).detach()
        if total is None:
            total = loss.detach()
        else:
            total += loss.detach()
        if i % 100 == 0:
            worst = 0.0
        worst = worst + (loss * loss).detach()
        print(smooth.item())
    return total.item(), float(worst)


class Trainer:
    def __init__(self, net, opt):
        self.net, self.opt, self.average = net.cuda(), opt, None

    def step(self, x):
        loss = self.net(x).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        if self.average is None:
            self.average = loss
        else:
            self.average = (self.average * 0.9 + loss * 0.1).detach()

    def run(self, loader):
        for x in loader:
            self.step(x.cuda())
        print(self.average.item())
