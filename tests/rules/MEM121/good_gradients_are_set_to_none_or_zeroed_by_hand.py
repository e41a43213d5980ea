# the gradients are set to None or zeroed by hand

import torch

net = torch.nn.Linear(5, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(10):
    for p in net.parameters():
        p.grad = None
    net(torch.randn(3, 5)).sum().backward()
    opt.step()
for i in range(10):
    net(torch.randn(3, 5)).sum().backward()
    opt.step()
    for param in net.parameters():
        if param.grad is not None:
            param.grad.zero_()
