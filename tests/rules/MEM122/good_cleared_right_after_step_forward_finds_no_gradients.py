# cleared right after the step: the forward finds no gradients

import torch

net = torch.nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(5):
    loss = net(torch.randn(3, 4)).sum()
    loss.backward()
    opt.step()
    opt.zero_grad()
