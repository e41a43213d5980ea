# said, in both ways

import torch
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


def run(block, stages, x, mask):
    x = checkpoint(block, x, mask=mask, use_reentrant=False)
    x = checkpoint(block, x, use_reentrant=True)
    return checkpoint_sequential(stages, 2, x, use_reentrant=False)


print(torch.__name__, run)
