# continue comes after backward: an accumulation window

import torch

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i, x in enumerate(torch.randn(20, 3, 4)):
    loss = net(x).pow(2).mean() / 5
    loss.backward()
    if (i + 1) % 5:
        continue
    opt.step()
    opt.zero_grad()
