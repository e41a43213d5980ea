import random

import torch
from torch import nn


class Multi(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(12, 24)
        self.heads = nn.ModuleList([nn.Linear(24, 1) for _ in range(3)])

    def forward(self, x):
        z = torch.relu(self.base(x))
        return [h(z).squeeze(-1) for h in self.heads]


def pc_backward(net, losses, optimizer):
    grads = []
    for loss in losses:
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        grads.append([p.grad.clone() if p.grad is not None else torch.zeros_like(p) for p in net.parameters()])
    for mine in grads:
        for other in random.sample(grads, len(grads)):
            dot = sum((a * b).sum() for a, b in zip(mine, other))
            if dot < 0:
                norm = sum((b * b).sum() for b in other)
                for a, b in zip(mine, other):
                    a.sub_(dot / norm * b)
    for p, *gs in zip(net.parameters(), *grads):
        p.grad = sum(gs)


def fit(steps=50):
    net = Multi()
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    for _ in range(steps):
        x, ys = torch.randn(16, 12), torch.randn(3, 16)
        losses = [nn.functional.mse_loss(o, y) for o, y in zip(net(x), ys)]
        pc_backward(net, losses, optimizer)
        optimizer.step()


fit()
