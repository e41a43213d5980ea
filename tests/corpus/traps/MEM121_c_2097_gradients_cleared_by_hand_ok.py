# The gradients are set to None by a loop of the script's own, and a scheduler wraps the step.
import torch
from torch import nn


class Runner:
    def __init__(self):
        self.net = nn.Linear(10, 10)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def apply(self):
        self.opt.step()
        for group in self.opt.param_groups:
            for p in group["params"]:
                p.grad = None

    def run(self, n):
        for _ in range(n):
            x = torch.randn(5, 10)
            (self.net(x) - x).abs().mean().backward()
            self.apply()


Runner().run(100)
