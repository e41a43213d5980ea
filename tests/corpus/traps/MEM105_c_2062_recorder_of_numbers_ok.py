# The decorator turns every result into numbers before anything is kept.
import functools
from collections import defaultdict

import torch
from torch import nn

LOG = defaultdict(list)


def to_numbers(tree):
    if isinstance(tree, dict):
        return {k: to_numbers(v) for k, v in tree.items()}
    return tree.detach().mean().item() if torch.is_tensor(tree) else tree


def recorded(step):
    @functools.wraps(step)
    def wrapper(*args, **kwargs):
        out = step(*args, **kwargs)
        for key, value in to_numbers(out).items():
            LOG[key].append(value)
        return out

    return wrapper


net = nn.Linear(6, 6)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


@recorded
def step(x):
    loss = (net(x) - x).square()
    opt.zero_grad()
    loss.mean().backward()
    opt.step()
    return {"loss": loss, "scale": net.weight.norm()}


for _ in range(300):
    step(torch.randn(8, 6))
