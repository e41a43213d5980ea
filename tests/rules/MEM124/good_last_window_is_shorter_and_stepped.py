# the size of the last window is what is left, and nothing is left out

import torch


def epoch(net, opt: torch.optim.Optimizer, loader, every):
    left = len(loader)
    for i, x in enumerate(loader):
        if i % every == 0:
            size = min(every, left)
        (net(x).sum() / size).backward()
        left -= 1
        if (i + 1) % every and left != 0:
            continue
        opt.step()
        opt.zero_grad()
