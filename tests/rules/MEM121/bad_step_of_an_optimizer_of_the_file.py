# the file's own optimizer gives what its closure gives, and clears nothing

import torch
from torch import nn


class Own(torch.optim.Optimizer):
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        return loss


def fit(model, optimizer: torch.optim.Optimizer, loader):
    running = 0.0
    for x, y in loader:

        def closure():
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()  #! MEM121 error
            return loss

        running += float(optimizer.step(closure))
    return running
