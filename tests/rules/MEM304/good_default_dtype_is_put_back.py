# a context manager makes float64 the default for a block and puts the old default back

import contextlib

import torch


@contextlib.contextmanager
def in_float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def volume(cells):
    torch.set_default_dtype(torch.float64)
    total = torch.zeros(1, device="cuda")
    for cell in cells:
        total += cell.prod()
    torch.set_default_dtype(torch.float32)
    return total.item()
