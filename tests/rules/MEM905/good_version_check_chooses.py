# a version check chooses

import torch
from diffusers.utils import is_torch_version
from torch.utils.checkpoint import checkpoint


def forward(block, x):
    if is_torch_version(">=", "1.11.0"):
        return checkpoint(block, x, use_reentrant=False)
    else:
        return checkpoint(block, x)


print(torch.__name__, forward)
