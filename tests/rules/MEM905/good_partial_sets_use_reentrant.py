# a partial that sets it

from functools import partial

import torch
from torch.utils.checkpoint import checkpoint

ckpt = partial(checkpoint, use_reentrant=False)


def forward(blocks, x):
    for block in blocks:
        x = ckpt(block, x)
    return x


print(torch.__name__, forward)
