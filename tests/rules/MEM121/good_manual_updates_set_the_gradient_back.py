# what is applied by hand is set to None, or to zero, before the next backward

import torch

net = torch.nn.Linear(6, 2)
w = torch.randn(6, 2, requires_grad=True)
for x in torch.randn(50, 4, 6):
    loss = (net(x) - x @ w).pow(2).mean()
    loss.backward()
    for p in net.parameters():
        p.data -= 0.1 * p.grad
        p.grad = None
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad.data.zero_()
