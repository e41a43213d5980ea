# gradient accumulation sets the size that counts

import torch
from torch.utils.data import DataLoader

accumulation_steps = 4
net = torch.nn.Linear(8, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i, x in enumerate(DataLoader(torch.randn(500, 8), batch_size=16)):
    (net(x.cuda()).mean() / accumulation_steps).backward()
    if (i + 1) % accumulation_steps == 0:
        opt.step()
        opt.zero_grad()
