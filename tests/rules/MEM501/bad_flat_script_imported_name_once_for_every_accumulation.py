# flat script, the imported name, once for every accumulation window

import torch
from torch.cuda import empty_cache

net = torch.nn.Sequential(torch.nn.Linear(20, 64), torch.nn.GELU(), torch.nn.Linear(64, 2)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.05)
every = 4
for i in range(400):
    x = torch.randn(16, 20, device="cuda")
    loss = net(x).square().mean() / every
    loss.backward()
    if (i + 1) % every == 0:
        opt.step()
        opt.zero_grad()
        del loss
        empty_cache()  #! MEM501
