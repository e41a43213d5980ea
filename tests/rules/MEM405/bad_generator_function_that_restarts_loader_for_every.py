# a generator function that restarts the loader for every item

import torch
from torch.utils.data import DataLoader


def endless(ds):
    loader = DataLoader(ds, batch_size=4, shuffle=True)
    while True:
        yield next(iter(loader))  #! MEM405 warning


net = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step, batch in zip(range(100), endless(torch.randn(40, 3))):
    opt.zero_grad()
    net(batch).mean().backward()
    opt.step()
