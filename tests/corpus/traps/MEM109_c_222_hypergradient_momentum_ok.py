import torch
from torch import nn


def inner_loop(weights, momentum, x, y, lr, beta, steps):
    velocity = [torch.zeros_like(w) for w in weights]
    for _ in range(steps):
        loss = ((x @ weights[0] + weights[1]) - y).pow(2).mean()
        grads = torch.autograd.grad(loss, weights, create_graph=True)
        velocity = [beta * v + (1 - beta) * g for v, g in zip(velocity, grads)]
        weights = [w - lr * v for w, v in zip(weights, velocity)]
    return weights


def meta(tasks):
    w, b = nn.Parameter(torch.randn(5, 1)), nn.Parameter(torch.zeros(1))
    beta = nn.Parameter(torch.tensor(0.9))
    opt = torch.optim.Adam([w, b, beta], lr=1e-2)
    for (sx, sy), (qx, qy) in tasks:
        fast = inner_loop([w, b], None, sx, sy, 0.1, beta, 3)
        loss = ((qx @ fast[0] + fast[1]) - qy).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


meta([((torch.randn(8, 5), torch.randn(8, 1)), (torch.randn(8, 5), torch.randn(8, 1)))] * 4)
