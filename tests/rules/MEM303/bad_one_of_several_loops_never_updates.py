# two loops of a file step with the scaler that they are given; the update of one is none for the other

import torch
from torch import nn


def warm_up(net, loader, opt, scaler):
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda"):
            loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
        scaler.scale(loss).backward()
        scaler.step(opt)  #! MEM303 error


def train(net, loader, opt, scaler):
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda"):
            loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()


def fine_tune(net, loader, opt, grad_scaler=None):
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda", enabled=grad_scaler is not None):
            loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
        if grad_scaler is not None:
            grad_scaler.scale(loss).backward()
            grad_scaler.step(opt)  #! MEM303 error
        else:
            loss.backward()
            opt.step()
