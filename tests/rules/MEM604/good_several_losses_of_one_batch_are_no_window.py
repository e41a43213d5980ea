# several losses of one batch are no window

import torch
from torch.nn.parallel import DistributedDataParallel

gen = DistributedDataParallel(torch.nn.Linear(3, 3).cuda())
dis = DistributedDataParallel(torch.nn.Linear(3, 1).cuda())
opt_g, opt_d = torch.optim.Adam(gen.parameters()), torch.optim.Adam(dis.parameters())
for real in torch.randn(50, 4, 3):
    opt_d.zero_grad()
    fake = gen(torch.randn(4, 3).cuda())
    dis(real.cuda()).mean().backward()
    (-dis(fake.detach()).mean()).backward()
    opt_d.step()
    opt_g.zero_grad()
    dis(fake).mean().backward()
    opt_g.step()
