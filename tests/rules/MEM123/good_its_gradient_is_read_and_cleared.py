# a leaf tensor optimised by hand: its gradient is read and cleared one by one

import torch

w = torch.zeros(3, requires_grad=True)
x, y = torch.randn(20, 3), torch.randn(20)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(10):
    loss = ((x @ w - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad.zero_()
    opt.step()
