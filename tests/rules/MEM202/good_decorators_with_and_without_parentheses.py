# decorators, with and without parentheses

import torch


@torch.no_grad()
def first(model, x):
    return model(x)


@torch.no_grad
def second(model, x):
    return model(x)


@torch.autocast("cuda")
def third(model, x):
    return model(x)
