# Model-agnostic meta learning without second order: the losses of the tasks are summed for one backward.
import copy

import torch
from torch import nn


def task():
    a, b = torch.rand(2) * 4
    x = torch.rand(20, 1) * 10 - 5
    return x[:10], a * torch.sin(x[:10] + b), x[10:], a * torch.sin(x[10:] + b)


def inner(model, x, y, steps=3, lr=0.01):
    fast = copy.deepcopy(model)
    opt = torch.optim.SGD(fast.parameters(), lr)
    for _ in range(steps):
        opt.zero_grad()
        nn.functional.mse_loss(fast(x), y).backward()
        opt.step()
    return fast


meta = nn.Sequential(nn.Linear(1, 40), nn.ReLU(), nn.Linear(40, 40), nn.ReLU(), nn.Linear(40, 1))
meta_opt = torch.optim.Adam(meta.parameters(), 1e-3)
history = []
for iteration in range(500):
    total = 0.0
    grads = [torch.zeros_like(p) for p in meta.parameters()]
    for _ in range(8):
        xs, ys, xq, yq = task()
        fast = inner(meta, xs, ys)
        loss = nn.functional.mse_loss(fast(xq), yq)
        for g, new in zip(grads, torch.autograd.grad(loss, fast.parameters())):
            g += new / 8
        total += loss  #! MEM101
    meta_opt.zero_grad()
    for p, g in zip(meta.parameters(), grads):
        p.grad = g
    meta_opt.step()
    history.append(total / 8)  #? MEM102
    if iteration % 100 == 99:
        print(iteration, float(sum(history[-100:])) / 100)
