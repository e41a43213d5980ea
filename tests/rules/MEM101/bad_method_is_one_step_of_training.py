# a method is one step, and the code that calls it for every batch is not in view

import torch


class Pair:
    def __init__(self, width):
        self.maker = torch.nn.Linear(width, width)
        self.judge = torch.nn.Linear(width, 1)
        self.opt = torch.optim.Adam(self.maker.parameters())
        self.total = 0.0

    def optimize(self, noise):
        loss = -self.judge(self.maker(noise)).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.total += loss  #! MEM101 warning
