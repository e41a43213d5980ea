"""Orders of zero_grad that are right: accumulation, SAM, before the forward, after the step."""
import torch
from torch import nn


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base = base(self.param_groups, **kw)

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        norm = torch.norm(torch.stack([p.grad.norm() for g in self.param_groups for p in g["params"]]))
        for g in self.param_groups:
            for p in g["params"]:
                e = p.grad * g["rho"] / (norm + 1e-12)
                p.add_(e)
                self.state[p]["e"] = e
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def second_step(self, zero_grad=False):
        for g in self.param_groups:
            for p in g["params"]:
                p.sub_(self.state[p]["e"])
        self.base.step()
        if zero_grad:
            self.zero_grad()


def sam_train(net, loader, crit):
    opt = SAM(net.parameters(), torch.optim.SGD, lr=0.1)
    for x, y in loader:
        crit(net(x), y).backward()
        opt.first_step(zero_grad=True)
        crit(net(x), y).backward()
        opt.second_step(zero_grad=True)


def accum(net, loader, crit, opt, k):
    opt.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = crit(net(x), y) / k
        loss.backward()
        if (i + 1) % k == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()


def accum_start(net, loader, crit, opt, k):
    for i, (x, y) in enumerate(loader):
        if i % k == 0:
            opt.zero_grad()
        (crit(net(x), y) / k).backward()
        if i % k == k - 1:
            opt.step()


def inner(net, loader, crit, opt, k):
    it = iter(loader)
    for step in range(1000):
        opt.zero_grad()
        for _ in range(k):
            x, y = next(it)
            (crit(net(x), y) / k).backward()
        opt.step()
