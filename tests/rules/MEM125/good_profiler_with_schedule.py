# a profiler with a schedule

import torch
from torch.profiler import profile, schedule

net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
with profile(schedule=schedule(wait=1, warmup=1, active=3)) as prof:
    for x in torch.randn(1000, 4, 8):
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
        prof.step()
