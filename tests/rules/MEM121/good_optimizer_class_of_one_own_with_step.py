# an optimizer class of one's own, with the step that other scripts call

import torch


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base_optimizer = base(self.param_groups, **kwargs)

    @torch.no_grad()
    def step(self, closure=None):
        closure = torch.enable_grad()(closure)
        self.base_optimizer.step()
        self.zero_grad()
        closure().backward()
        self.base_optimizer.step()
