# the loss grows by a penalty before its own backward

import torch

net = torch.nn.Linear(10, 1)
opt = torch.optim.SGD(net.parameters(), lr=1e-2)
for x, y in [(torch.randn(4, 10), torch.randn(4, 1))] * 10:
    loss = (net(x) - y).pow(2).mean()
    l2 = 0
    for p in net.parameters():
        l2 = l2 + p.pow(2).sum()
    loss += 0.01 * l2
    opt.zero_grad()
    loss.backward()
    opt.step()
