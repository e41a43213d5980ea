# a method is one step, and the code that calls it for every batch is not in view

import torch


class Agent:
    def __init__(self, width):
        self.net = torch.nn.Linear(width, 2)
        self.opt = torch.optim.Adam(self.net.parameters())
        self.losses = []

    def learn(self, rows, wanted):
        loss = (self.net(rows) - wanted).square().mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.losses.append(loss)  #! MEM102 warning
        return loss.item()


class Fitter:
    """A hook of a trainer by its name, of a class that no trainer knows."""

    def __init__(self, net, opt):
        self.net, self.opt = net, opt
        self.curve = []

    def training_step(self, rows, wanted):
        loss = (self.net(rows) - wanted).square().mean()
        self.curve.append(loss)  #! MEM102 warning
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
