# the branch runs a backward of its own, or leaves the loop

import torch

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i, x in enumerate(torch.randn(20, 3, 4)):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    if i % 2:
        (2 * loss).backward()
        opt.step()
        continue
    if loss.item() > 1e6:
        break
    loss.backward()
    opt.step()
