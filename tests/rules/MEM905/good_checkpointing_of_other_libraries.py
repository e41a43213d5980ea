# checkpointing of other libraries has its own defaults

import deepspeed
import torch
from fairscale.nn.checkpoint import checkpoint_wrapper
from timm.models import checkpoint


def forward(block, x):
    x = deepspeed.checkpointing.checkpoint(block, x)
    x = checkpoint(block, x)
    return checkpoint_wrapper(block)(x)


print(torch.__name__, forward)
