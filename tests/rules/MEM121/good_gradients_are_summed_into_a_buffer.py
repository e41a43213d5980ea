# the gradients of one backward go into a buffer, and an engine out of view moves the parameters

import torch

from engine import apply

net = torch.nn.Linear(6, 2)
buffers = [torch.zeros_like(p) for p in net.parameters()]
for x in torch.randn(50, 4, 6):
    net(x).pow(2).mean().backward()
    for p, buffer in zip(net.parameters(), buffers):
        buffer.mul_(0.9).add_(p.grad)
    apply(net, buffers)
