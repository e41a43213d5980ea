# Weight averaging written out, over named parameters.
import torch
from torch import nn


class Averaged:
    def __init__(self, source, start=100):
        self.values = {name: p.clone().detach() for name, p in source.named_parameters()}
        self.n, self.start = 0, start

    def collect(self, source, step):
        if step < self.start:
            return
        self.n += 1
        for name, p in source.named_parameters():
            self.values[name] = self.values[name] + (p.detach() - self.values[name]) / self.n

    def write_to(self, target):
        with torch.no_grad():
            for name, p in target.named_parameters():
                p.copy_(self.values[name])


net = nn.Sequential(nn.Linear(10, 100), nn.ReLU(), nn.Linear(100, 1))
opt, swa = torch.optim.SGD(net.parameters(), lr=0.05), Averaged(net)
for step in range(1000):
    x = torch.randn(16, 10)
    loss = (net(x) - x.norm(dim=1, keepdim=True)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    swa.collect(net, step)
swa.write_to(net)
