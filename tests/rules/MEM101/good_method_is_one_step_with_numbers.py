# a method that is one step adds up numbers, and a sum of its own terms

import torch


class Pair:
    def __init__(self, width):
        self.maker = torch.nn.Linear(width, width)
        self.judge = torch.nn.Linear(width, 1)
        self.opt = torch.optim.Adam(self.maker.parameters())
        self.total = 0.0

    def optimize(self, noise):
        made = self.maker(noise)
        loss = -self.judge(made).mean()
        loss += 0.1 * made.square().mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.total += loss.item()
