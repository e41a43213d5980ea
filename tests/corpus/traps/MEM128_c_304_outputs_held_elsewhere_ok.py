import torch
from torch import nn
from torch.nn.functional import cross_entropy


class Meter:
    def __init__(self):
        self.last = None

    def update(self, out):
        self.last = out.detach()


def back(out, target):
    loss = cross_entropy(out, target)
    loss.backward()
    return loss.item()


net = nn.Linear(10, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
meter = Meter()
for i in range(4):
    x, t = torch.randn(3, 10), torch.randint(0, 5, (3,))
    opt.zero_grad()
    result = {"out": net(x), "t": t}
    loss = cross_entropy(result["out"], result["t"])
    loss.backward()
    opt.step()
for i in range(4):
    x, t = torch.randn(3, 10), torch.randint(0, 5, (3,))
    opt.zero_grad()
    y = net(x)
    meter.update(y)
    loss = cross_entropy(y, t)
    loss.backward()
    opt.step()
for i in range(4):
    x, t = torch.randn(3, 10), torch.randint(0, 5, (3,))
    opt.zero_grad()
    scores = net(x)
    print(back(scores, t))
    opt.step()
