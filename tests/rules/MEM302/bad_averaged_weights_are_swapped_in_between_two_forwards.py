# averaged weights are swapped in between two forwards of one region

import torch
from torch import nn


class Averaged:
    def __init__(self, rate):
        self.net = nn.Linear(10, 3).cuda()
        self.mean = [p.detach().clone() for p in self.net.parameters()]
        self.opt = torch.optim.SGD(self.net.parameters(), rate)

    def step(self, x, y):
        self.opt.zero_grad()
        nn.functional.cross_entropy(self.net(x), y).backward()
        self.opt.step()

    @torch.no_grad()
    def both(self, x):
        with torch.autocast("cuda", dtype=torch.bfloat16):  #! MEM302 error
            plain = self.net(x)
            for p, m in zip(self.net.parameters(), self.mean):
                p.copy_(m)
            return plain, self.net(x)


averaged = Averaged(0.1)
for _ in range(10):
    averaged.step(torch.randn(4, 10).cuda(), torch.randint(3, (4,)).cuda())
averaged.both(torch.randn(4, 10).cuda())
