# the losses that callers give may come from one forward pass, whose graph all of them need

import torch
from torch.optim.optimizer import Optimizer


class Balance(Optimizer):
    def __init__(self, parameters, beta=0.9):
        super().__init__(parameters, {"beta": beta})

    def step(self, losses):
        for number, loss in enumerate(losses):
            loss.backward(retain_graph=True)
            for group in self.param_groups:
                for p in group["params"]:
                    state = self.state[p]
                    if number == 0:
                        state["sum"] = torch.zeros_like(p)
                    state["sum"] += p.grad / p.grad.norm()
                    p.grad = state["sum"].clone() if number == len(losses) - 1 else None
