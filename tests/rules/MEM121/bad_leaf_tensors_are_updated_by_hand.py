# weights without a module are moved along their gradients, which grow from pass to pass

import torch

w = torch.randn(7, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
x, y = torch.randn(90, 7), torch.randn(90, 1)
for epoch in range(40):
    loss = (x @ w + b - y).pow(2).mean()
    loss.backward()  #! MEM121 error
    with torch.no_grad():
        w -= 0.1 * w.grad
        b.sub_(0.1 * b.grad)
    print(epoch, loss.item(), w.grad.norm())
