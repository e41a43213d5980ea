# conditions on None, on a shape and on a type need no value of the device

import torch


def train(net, loader, opt):
    for x in loader:
        opt.zero_grad()
        loss = net(x.cuda())
        if loss is None or loss.dim() > 1 or not isinstance(loss, torch.Tensor):
            loss = loss.mean()
        loss.backward()
        opt.step()
