import torch
from torch import nn


class Mean:
    def __init__(self):
        self.total, self.n = 0.0, 0

    def __iadd__(self, value):
        self.total = self.total + value
        self.n += 1
        return self

    def __float__(self):
        return float(self.total) / max(self.n, 1)


def main():
    net = nn.Linear(4, 1)
    opt = torch.optim.SGD(net.parameters(), 0.05)
    mean = Mean()
    for _ in range(300):
        x = torch.randn(16, 4)
        loss = (net(x).squeeze(1) - x.sum(1)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        mean += loss  #! MEM101
    print(float(mean))


main()
