# an older torch that does not know the argument is caught

import torch
from torch.utils.checkpoint import checkpoint


def forward(block, x):
    try:
        return checkpoint(block, x, use_reentrant=False)
    except TypeError:
        return checkpoint(block, x)


print(torch.__name__, forward)
