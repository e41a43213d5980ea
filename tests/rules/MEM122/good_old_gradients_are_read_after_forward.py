# the old gradients are read after the forward

import torch

net = torch.nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(10):
    loss = net(torch.randn(3, 4)).sum()
    if step:
        print("last gradient", net.weight.grad.norm().item(), "new loss", loss.item())
    opt.zero_grad()
    loss.backward()
    opt.step()
