# the optimizer is made by a setting; the file's own clears what its first step used, and gives a number

import torch
from torch import nn


class Sharp(torch.optim.Optimizer):
    def __init__(self, params, base=torch.optim.SGD, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base = base(self.param_groups, **kwargs)

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        for group in self.param_groups:
            for p in group["params"]:
                p.add_(p.grad * group["rho"])
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def step(self, closure=None):
        closure = torch.enable_grad()(closure)
        loss1 = closure()
        self.first_step(zero_grad=True)
        loss2 = closure()
        self.base.step()
        return (loss1.item() + loss2.item()) / 2


class Client:
    def __init__(self, model, loader, cfg):
        self.model, self.loader, self.make = model, loader, cfg
        self.optimizer = None

    def closure(self, x, y):
        def run():
            loss = nn.functional.mse_loss(self.model(x), y)
            loss.backward()
            return loss

        return run

    def fit(self):
        if self.optimizer is None:
            self.optimizer = self.make(self.model)
        running = 0.0
        for x, y in self.loader:
            running += self.optimizer.step(self.closure(x, y))
        return running
