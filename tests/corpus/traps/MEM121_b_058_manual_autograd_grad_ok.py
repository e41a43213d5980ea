import torch


def fit(x, y, steps=1000, lr=1e-2):
    w = torch.zeros(x.size(1), requires_grad=True)
    for i in range(steps):
        loss = (x @ w - y).pow(2).mean()
        g, = torch.autograd.grad(loss, [w])
        with torch.no_grad():
            w -= lr * g
    return w


def fit_zero(x, y, steps=1000, lr=1e-2):
    w = torch.zeros(x.size(1), requires_grad=True)
    for i in range(steps):
        loss = (x @ w - y).pow(2).mean()
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad
            w.grad.zero_()
    return w
