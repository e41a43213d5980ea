import torch
from torch import nn

REPORTS = []


class Loop:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), 0.1)

    def step(self, i, x):
        out = self.net(x)
        loss = out.pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()

        def report():
            return f"{i}: {value:.4f}"

        value = loss.item()
        REPORTS.append(report)

    def run(self, n):
        for i in range(n):
            self.step(i, torch.randn(16, 8))


Loop(nn.Linear(8, 2)).run(300)
print(REPORTS[-1]())
