# helpers that go through containers and detach each tensor, by a method of the class or a lambda

from collections.abc import Mapping, Sequence
from typing import Any, cast

import torch


def apply_to_type(value, kind, func):
    if isinstance(value, kind):
        return func(value)
    if isinstance(value, (str, bytes)):
        return value
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(apply_to_type(v, kind, func) for v in value))
    if isinstance(value, Mapping):
        return type(value)({k: apply_to_type(v, kind, func) for k, v in value.items()})
    if isinstance(value, Sequence):
        return cast(Any, type(value))([apply_to_type(v, kind, func) for v in value])
    raise TypeError(type(value))


def _detach_hidden(hidden):
    return apply_to_type(hidden, torch.Tensor, torch.Tensor.detach)


def keep(hidden):
    return apply_to_type(hidden, torch.Tensor, lambda tensor: tensor.detach())


def train(model, optimizer, loss_fn, loader):
    for x, y in loader:
        hidden = None
        for x_t, y_t in zip(x.split(10), y.split(10)):
            optimizer.zero_grad()
            if hidden is None:
                out, hidden = model(x_t)
            else:
                hidden = _detach_hidden(hidden)
                out, hidden = model(x_t, hidden)
            loss = loss_fn(out, y_t)
            loss.backward()
            optimizer.step()


def train_other(model, optimizer, loss_fn, loader):
    hidden = None
    for x, y in loader:
        optimizer.zero_grad()
        out, hidden = model(x, None if hidden is None else keep(hidden))
        loss_fn(out, y).backward()
        optimizer.step()
