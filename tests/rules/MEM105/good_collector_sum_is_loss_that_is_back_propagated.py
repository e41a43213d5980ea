# the collector's sum is the loss that is back-propagated, then it is reset

import torch


class LossBag:
    def __init__(self):
        self.total = 0

    def add(self, term):
        self.total = self.total + term

    def flush(self):
        out, self.total = self.total, 0
        return out


bag = LossBag()
net = torch.nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(10):
    h = net(torch.randn(3, 4))
    bag.add(h.pow(2).mean())
    bag.add(0.1 * h.abs().mean())
    opt.zero_grad()
    bag.flush().backward()
    opt.step()
