import itertools

import torch
import torch.nn as nn
from torch.optim.lr_scheduler import LambdaLR


class OptimWrapper:
    def __init__(self, opt, sched, clip):
        self.opt, self.sched, self.clip = opt, sched, clip

    def __call__(self, loss, params):
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(params, self.clip)
        self.opt.step()
        self.sched.step()


def fit_wrapped(net, loader):
    o = torch.optim.Adam(net.parameters())
    update = OptimWrapper(o, LambdaLR(o, lambda e: 0.95 ** e), 1.0)
    for x, y in loader:
        update((net(x) - y).pow(2).mean(), net.parameters())


def fit_cycle(ga, gb, da, db, loader):
    og = torch.optim.Adam(itertools.chain(ga.parameters(), gb.parameters()), 2e-4)
    od = torch.optim.Adam(itertools.chain(da.parameters(), db.parameters()), 2e-4)
    for a, b in loader:
        og.zero_grad()
        fa, fb = gb(b), ga(a)
        (da(fa).mean() + db(fb).mean() + (gb(fb) - a).abs().mean()).backward()
        og.step()
        od.zero_grad()
        (da(a).mean() - da(fa.detach()).mean() + db(b).mean() - db(fb.detach()).mean()).backward()
        od.step()


def fit_module_zero(net, head, loader):
    opt = torch.optim.SGD([{"params": net.parameters()}, {"params": head.parameters(), "lr": 0.1}], lr=0.01)
    for x, y in loader:
        for m in (net, head):
            m.zero_grad()
        nn.functional.cross_entropy(head(net(x)), y).backward()
        opt.step()


def fit_lbfgs(net, x, y):
    opt = torch.optim.LBFGS(net.parameters(), max_iter=20, line_search_fn="strong_wolfe")

    def closure():
        if torch.is_grad_enabled():
            opt.zero_grad()
        loss = (net(x) - y).pow(2).mean()
        if loss.requires_grad:
            loss.backward()
        return loss

    for _ in range(50):
        opt.step(closure)


class SAM:
    def __init__(self, params, base, rho=0.05):
        self.params = list(params)
        self.base = base(self.params, lr=0.1)
        self.rho = rho

    @torch.no_grad()
    def first_step(self):
        norm = torch.norm(torch.stack([p.grad.norm() for p in self.params]))
        self.e = [p.grad * self.rho / (norm + 1e-12) for p in self.params]
        for p, e in zip(self.params, self.e):
            p.add_(e)
            p.grad = None

    @torch.no_grad()
    def second_step(self):
        for p, e in zip(self.params, self.e):
            p.sub_(e)
        self.base.step()
        self.base.zero_grad()


def fit_sam(net, loader):
    sam = SAM(net.parameters(), torch.optim.SGD)
    for x, y in loader:
        nn.functional.cross_entropy(net(x), y).backward()
        sam.first_step()
        nn.functional.cross_entropy(net(x), y).backward()
        sam.second_step()
