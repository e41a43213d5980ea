import torch
from torch import nn


class Fit:
    def __init__(self):
        torch.set_default_dtype(torch.float32)
        self.net = nn.Linear(10, 10).cuda()
        self.opt = torch.optim.SGD(self.net.parameters(), 0.1)

    def run(self):
        for _ in range(1000):
            self.opt.zero_grad()
            self.net(torch.randn(64, 10, device="cuda")).square().mean().backward()
            self.opt.step()


Fit().run()
