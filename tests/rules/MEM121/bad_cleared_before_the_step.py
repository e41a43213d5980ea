# gradients are cleared between backward and step: nothing is trained

import torch
import torch.nn.functional as F


def one(model, opt, loader):
    for x, y in loader:
        out = model(x)
        loss = F.mse_loss(out, y)
        opt.zero_grad()  #! MEM121 error
        opt.step()
        loss.backward()


def two(model, loader):
    opt = torch.optim.Adam(model.parameters())
    for x, y in loader:
        opt.step()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1)
        opt.zero_grad()  #! MEM121 error


class T:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())

    def step(self, x, y):
        loss = F.mse_loss(self.net(x), y)
        loss.backward()
        self.opt.zero_grad()  #! MEM121 error
        self.opt.step()
        return loss.item()
