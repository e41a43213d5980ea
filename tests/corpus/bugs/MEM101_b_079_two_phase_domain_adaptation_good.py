import torch
import torch.nn as nn
from itertools import cycle


class GRL(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, a):
        ctx.a = a
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return -ctx.a * g, None


class DANN(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Flatten(), nn.Linear(784, 256), nn.ReLU())
        self.c, self.d = nn.Linear(256, 10), nn.Linear(256, 2)

    def forward(self, x, a=1.0):
        h = self.f(x)
        return self.c(h), self.d(GRL.apply(h, a))


def train(src, tgt, epochs, device):
    net = DANN().to(device)
    opt = torch.optim.SGD(net.parameters(), lr=1e-2, momentum=0.9)
    ce = nn.CrossEntropyLoss()
    for ep in range(epochs):
        cls_sum = dom_sum = 0
        for i, ((xs, ys), (xt, _)) in enumerate(zip(src, tgt)):
            a = 2. / (1 + 2.718 ** (-10 * (ep + i / len(src)) / epochs)) - 1
            cs, ds = net(xs.to(device), a)
            _, dt = net(xt.to(device), a)
            cls = ce(cs, ys.to(device))
            dom = ce(ds, torch.zeros(len(xs), dtype=torch.long, device=device)) + ce(dt, torch.ones(len(xt), dtype=torch.long, device=device))
            opt.zero_grad()
            (cls + dom).backward()
            opt.step()
            cls_sum, dom_sum = cls_sum + cls.item(), dom_sum + dom.item()
        print(ep, float(cls_sum) / (i + 1), float(dom_sum) / (i + 1))
    accs = {}
    net.eval()
    for name, dl in (("src", src), ("tgt", tgt)):
        ok = n = 0
        for x, y in dl:
            with torch.no_grad():
                ok += (net(x.to(device))[0].argmax(1).cpu() == y).sum().item()
            n += len(y)
        accs[name] = ok / n
    print(accs)
    return net
