# the value is returned: a helper that chooses the context

import contextlib

import torch


def maybe_no_grad(train):
    return contextlib.nullcontext() if train else torch.no_grad()


def get_autocast(enabled):
    if enabled:
        return torch.autocast("cuda", dtype=torch.bfloat16)
    return contextlib.nullcontext()


with maybe_no_grad(False), get_autocast(True):
    pass
