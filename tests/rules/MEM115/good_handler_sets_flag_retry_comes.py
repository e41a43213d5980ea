# the handler sets a flag; the retry comes after it

import torch

net = torch.nn.Linear(8, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def step(x):
    opt.zero_grad()
    net(x).sum().backward()
    opt.step()


for x in torch.randn(5, 4, 8):
    failed = False
    try:
        step(x)
    except torch.cuda.OutOfMemoryError:
        failed = True
    if failed:
        torch.cuda.empty_cache()
        step(x[:2])
