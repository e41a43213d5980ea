# the gradients of four batches make one step, and nothing is named after that

import torch
from torch.utils.data import DataLoader

net = torch.nn.Linear(8, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i, x in enumerate(DataLoader(torch.randn(500, 8), batch_size=16)):
    (net(x.cuda()).mean() / 4).backward()
    if (i + 1) % 4 == 0:
        opt.step()
        opt.zero_grad()
