import torch
from torch import nn


def set_requires_grad(nets, on=False):
    for net in nets if isinstance(nets, list) else [nets]:
        for weight in net.parameters():
            weight.requires_grads = on  #! MEM908


class Adversary:
    def __init__(self):
        self.gen, self.dis = nn.Linear(4, 8), nn.Linear(8, 1)
        self.opt_gen = torch.optim.Adam(self.gen.parameters())

    def generator_step(self, z):
        set_requires_grad(self.dis, False)
        self.opt_gen.zero_grad()
        (-self.dis(self.gen(z)).mean()).backward()
        self.opt_gen.step()
        set_requires_grad([self.dis], True)


adversary = Adversary()
for _ in range(5):
    adversary.generator_step(torch.randn(3, 4))
