# a list takes all rows of a tensor, one by one or with their names: nothing of it is kept for nobody

import torch
from torch.nn import functional as F


@torch.no_grad()
def encode(model, loader):
    rows, named = [], {}
    for names, x in loader:
        made = F.normalize(model(x.cuda()), dim=1)
        rows.extend(made)
        for name, row in zip(names, made):
            named[name] = row
    return rows, named


@torch.no_grad()
def lengths(model, loader):
    found = []
    for x in loader:
        found.extend(model(x.cuda()).cpu())
    return found
