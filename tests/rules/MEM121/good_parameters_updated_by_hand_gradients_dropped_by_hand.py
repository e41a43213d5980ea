# parameters updated by hand, gradients dropped by hand

import torch

w = torch.randn(4, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
for x in torch.randn(50, 8, 4):
    loss = (x @ w + b).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        b -= 0.1 * b.grad
        w.grad = None
        b.grad.zero_()
