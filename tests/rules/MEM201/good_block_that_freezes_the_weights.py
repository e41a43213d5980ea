# a context manager of the script takes the gradients from the weights as long as its block runs

from contextlib import contextmanager

import torch
from groups import parameter_groups
from torch import nn


@contextmanager
def freezing(groups):
    for group in groups:
        group.freeze()
    try:
        yield
    finally:
        for group in groups:
            group.unfreeze()


def validate(model: nn.Module, loader):
    model.eval()
    total = 0.0
    for x, y in loader:
        with freezing(parameter_groups(model)):
            total += nn.functional.cross_entropy(model(x.cuda()), y.cuda()).item()
    return total / len(loader)
