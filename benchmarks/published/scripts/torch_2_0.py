"""Adam of torch 2.0: a step on a GPU held two temporary copies of all parameters, later ones hold one."""

from typing import Any

import torch


class Adam(torch.optim.Optimizer):
    """The roots of the second moments stay until the parameters are changed, beside their sums with eps."""

    def __init__(self, parameters: Any, lr: float) -> None:
        super().__init__(parameters, {"lr": lr})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:
        for group in self.param_groups:
            moved = [parameter for parameter in group["params"] if parameter.grad is not None]
            gradients = [parameter.grad for parameter in moved]
            for parameter in moved:
                if not self.state[parameter]:
                    self.state[parameter] = {name: torch.zeros_like(parameter) for name in "mv"}
            first, second = ([self.state[parameter][name] for parameter in moved] for name in "mv")
            torch._foreach_mul_(first, 0.9)
            torch._foreach_add_(first, gradients, alpha=0.1)
            torch._foreach_mul_(second, 0.999)
            torch._foreach_addcmul_(second, gradients, gradients, 0.001)
            roots = torch._foreach_sqrt(second)
            sums = torch._foreach_add(roots, 1e-8)
            torch._foreach_addcdiv_(moved, first, sums, -group["lr"])
