# copies back to the host, and a tensor made once before the loop

import torch
from torch.utils.data import DataLoader

weight = torch.ones(8).cuda()
net = torch.nn.Linear(8, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
history = []
for x in DataLoader(torch.randn(100, 8), batch_size=10, pin_memory=True):
    opt.zero_grad()
    out = net(x.cuda(non_blocking=True) * weight)
    out.mean().backward()
    opt.step()
    history.append(out.detach().to("cpu"))
