# an own autocast wrapper around the new one

import contextlib

import torch


def autocast(enabled=True):
    return torch.autocast("cuda") if enabled else contextlib.nullcontext()


with autocast(False):
    print(torch.randn(1))
