# autograd.grad fills no .grad; the parameters are updated by hand

import torch

w = torch.randn(4, 1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for i in range(100):
    x = torch.randn(8, 4)
    loss = (x @ w).pow(2).mean()
    (w.grad,) = torch.autograd.grad(loss, [w])
    optimizer.step()
torch.zeros(1, requires_grad=True).sum().backward()
