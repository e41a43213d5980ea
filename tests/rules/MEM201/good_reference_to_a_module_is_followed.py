# what is called with nothing is a reference to a module, or a function that makes one

from weakref import WeakKeyDictionary, ref

import torch
from torch import nn

_MEMBERS: WeakKeyDictionary = WeakKeyDictionary()


def members(net: nn.Module):
    found = []
    for cached_module in _MEMBERS.setdefault(net, [ref(part) for part in net.children()]):
        module = cached_module()
        if module is None:
            return None
        found.append(module)
    return found


def evaluate(net, loader):
    net.eval()
    for x in loader:
        for part in members(net) or ():
            part.reset()
        with torch.no_grad():
            print(net(x).mean())
