# two copies into one attribute are one finding

import copy

import torch


class Trainer:
    def __init__(self, net, opt):
        self.net, self.opt, self.best, self.state = net.to("cuda"), opt, float("inf"), None

    def converged(self, loss):
        if loss < self.best:
            self.best = loss
            self.state = copy.deepcopy(self.net.state_dict())  #! MEM704 warning
        return loss > 2 * self.best

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for x, y in loader:
                self.opt.zero_grad()
                loss = (self.net(x) - y).square().mean()
                loss.backward()
                self.opt.step()
            if self.converged(loss.item()):
                break
        if loss.item() < self.best:
            self.state = copy.deepcopy(self.net.state_dict())
        self.net.load_state_dict(self.state)
