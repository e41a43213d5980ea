# what is read lies on the host: labels of the loader, a learning rate, a clock

import time

import torch
from torch import nn


def train(net, loader, opt, scheduler):
    net.cuda()
    for x, y in loader:
        started = time.time()
        seen = y.sum().item()
        opt.zero_grad()
        nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
        opt.step()
        scheduler.step()
        print(seen, float(scheduler.get_last_lr()[0]), time.time() - started)
