import torch
from torch.utils.data import DataLoader


def make(ds, workers, pf=2):
    if workers > 0:
        return DataLoader(ds, num_workers=workers, persistent_workers=True)
    return DataLoader(ds, num_workers=workers)


def make2(ds, workers):
    return DataLoader(ds, num_workers=workers, persistent_workers=workers > 0, prefetch_factor=2 if workers else None)


def make3(ds, nw, keep=True):
    return DataLoader(ds, num_workers=nw, persistent_workers=keep)


def make4(ds, nw=0):
    return DataLoader(ds, num_workers=nw, persistent_workers=True)


def make5(ds, nw=0):
    return DataLoader(ds, num_workers=nw, persistent_workers=True)


def make6(ds, nw=0):
    kw = dict(persistent_workers=True, prefetch_factor=4) if nw > 0 else {}
    return DataLoader(ds, num_workers=nw, **kw)


def make7(ds, nw):
    keep = nw > 0
    return DataLoader(ds, num_workers=nw, persistent_workers=keep)


ds = torch.load("x.pt")
a, b, c, d, e, f, g = make(ds, 0), make2(ds, 0), make3(ds, 2), make4(ds, 2), make5(ds, 4), make6(ds), make7(ds, 0)
print(a, b, c, d, e, f, g)
