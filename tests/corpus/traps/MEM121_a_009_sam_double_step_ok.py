import torch
from torch import nn


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base = base(self.param_groups, **kw)

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is not None:
                    e = p.grad * g["rho"]
                    p.add_(e)
                    self.state[p]["e"] = e
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def second_step(self, zero_grad=False):
        for g in self.param_groups:
            for p in g["params"]:
                if "e" in self.state[p]:
                    p.sub_(self.state[p]["e"])
        self.base.step()
        if zero_grad:
            self.zero_grad()


def train(model, loader, epochs):
    opt = SAM(model.parameters(), torch.optim.SGD, lr=0.1)
    for _ in range(epochs):
        for x, y in loader:
            nn.functional.cross_entropy(model(x), y).backward()
            opt.first_step(zero_grad=True)
            nn.functional.cross_entropy(model(x), y).backward()
            opt.second_step(zero_grad=True)
