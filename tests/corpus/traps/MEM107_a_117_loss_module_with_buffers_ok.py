import torch
from torch import nn
import torch.nn.functional as F


class BalancedLoss(nn.Module):
    def __init__(self, n, momentum=0.9):
        super().__init__()
        self.register_buffer("running", torch.ones(n))
        self.momentum = momentum

    def forward(self, losses):
        with torch.no_grad():
            now = torch.stack([l.detach() for l in losses])
            self.running.mul_(self.momentum).add_((1 - self.momentum) * now)
        total = 0
        for l, r in zip(losses, self.running):
            total = total + l / r
        return total


def train(model, loader, opt):
    balance = BalancedLoss(2)
    for x, a, b in loader:
        oa, ob = model(x)
        loss = balance([F.mse_loss(oa, a), F.cross_entropy(ob, b)])
        opt.zero_grad()
        loss.backward()
        opt.step()
