# a step that is skipped for gradients that are not finite makes no window

import torch
from torch.utils.data import DataLoader

net = torch.nn.Linear(8, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(torch.randn(500, 8), batch_size=16):  #! MEM413 advice
    opt.zero_grad()
    net(x.cuda()).mean().backward()
    if torch.isfinite(torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)):
        opt.step()
