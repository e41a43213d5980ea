# the hook is removed in the same call, but the loop over the data runs in between

import torch
from torch import nn


def record(net: nn.Module, loader):
    taps = []
    net = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    handle = net[0].register_forward_hook(lambda m, a, out: taps.append(out))  #! MEM110 error
    for x in loader:
        net(x)
    handle.remove()
    return len(taps)
