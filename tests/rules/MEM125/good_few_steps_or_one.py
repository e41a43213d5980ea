# a few steps only, or one

import torch

net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loader = torch.randn(1000, 4, 8)
with torch.profiler.profile() as prof:
    for step, x in enumerate(loader):
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
        if step >= 10:
            break
with torch.autograd.profiler.profile() as once:
    net(loader[0]).mean().backward()
with torch.profiler.profile() as short:
    for _ in range(5):
        opt.zero_grad()
        net(loader[0]).mean().backward()
        opt.step()
