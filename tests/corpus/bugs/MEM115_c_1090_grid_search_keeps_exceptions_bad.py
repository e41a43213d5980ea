import itertools
import traceback

import torch
import torch.nn as nn

failures = []


def run(width, batch):
    net = nn.Sequential(nn.Linear(1000, width), nn.ReLU(), nn.Linear(width, 10)).cuda()
    opt = torch.optim.Adam(net.parameters())
    for _ in range(50):
        opt.zero_grad()
        loss = net(torch.randn(batch, 1000, device="cuda")).pow(2).mean()
        loss.backward()
        opt.step()
    return loss.item()


for width, batch in itertools.product([1024, 8192, 65536], [256, 4096, 65536]):
    try:
        print(width, batch, run(width, batch))
    except torch.cuda.OutOfMemoryError as err:
        failures.append((width, batch, err))  #! MEM115
        torch.cuda.empty_cache()
print(len(failures), "configurations did not fit")
