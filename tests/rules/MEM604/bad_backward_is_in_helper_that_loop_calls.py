# the backward is in a helper that the loop calls

import torch
import torch.nn.parallel as parallel

net = parallel.DistributedDataParallel(torch.nn.Linear(3, 1).cuda())
opt = torch.optim.AdamW(net.parameters())
WINDOW = 16


def backward(x):
    loss = net(x).mean() / WINDOW
    loss.backward()  #! MEM604


for n, x in enumerate(torch.randn(320, 2, 3)):
    backward(x.cuda())
    if n % WINDOW == WINDOW - 1:
        opt.step()
        opt.zero_grad()
