# `[:1]` may be all there is

import torch


@torch.no_grad()
def track(net, state, loader):
    kept = []
    for x in loader:
        state = net(state, x)
        kept.append(state[:1])
    return kept
