# an own optimizer that hands the argument on

import torch


class Wrapped:
    def __init__(self, inner):
        self.inner = inner

    def zero_grad(self, set_to_none=False):
        self.inner.zero_grad(set_to_none=False)

    def step(self):
        self.inner.step()


net = torch.nn.Linear(4, 2)
opt = Wrapped(torch.optim.SGD(net.parameters(), lr=0.1))
for _ in range(4):
    opt.zero_grad()
    net(torch.randn(3, 4)).sum().backward()
    opt.step()
