"""Every retain_graph=True here is needed."""
import torch
import torch.nn as nn


def pcgrad(losses, params, opt):
    grads = []
    for l in losses:
        opt.zero_grad()
        l.backward(retain_graph=True)
        grads.append([p.grad.clone() for p in params])
    opt.zero_grad()
    for p, *gs in zip(params, *grads):
        p.grad = sum(gs)
    opt.step()


def adaptive_weight(nll, g, last):
    a = torch.autograd.grad(nll, last, retain_graph=True)[0]
    b = torch.autograd.grad(g, last, retain_graph=True)[0]
    return (a.norm() / (b.norm() + 1e-4)).clamp(0, 1e4).detach()


class Multi(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk, self.a, self.b = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 3)

    def forward(self, x):
        h = self.trunk(x).relu()
        return self.a(h), self.b(h)


def main(loader):
    net = Multi()
    oa = torch.optim.Adam(list(net.trunk.parameters()) + list(net.a.parameters()))
    ob = torch.optim.Adam(net.b.parameters())
    for x, u, v in loader:
        a, b = net(x)
        la = nn.functional.mse_loss(a, u)
        lb = nn.functional.cross_entropy(b, v)
        w = adaptive_weight(la, lb, net.trunk.weight)
        oa.zero_grad()
        ob.zero_grad()
        la.backward(retain_graph=True)
        (w * lb).backward()
        oa.step()
        ob.step()
        l1, l2 = (f(net(x)[1], v) for f in (nn.CrossEntropyLoss(), nn.MultiMarginLoss()))
        pcgrad([l1, l2], list(net.parameters()), oa)
