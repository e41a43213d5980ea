import torch
from torch import nn


def odeint(f, y, ts):
    ys = [y]
    for t0, t1 in zip(ts[:-1], ts[1:]):
        y = y + (t1 - t0) * f(t0, y)
        ys.append(y)
    return torch.stack(ys)


def train(f, opt, true_y, ts, iters):
    for it in range(iters):
        opt.zero_grad()
        pred = odeint(f, true_y[0], ts)
        loss = (pred - true_y).abs().mean()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            with torch.no_grad():
                print(it, (odeint(f, true_y[0], ts) - true_y).abs().mean().item())
