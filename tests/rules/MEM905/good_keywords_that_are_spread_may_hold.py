# keywords that are spread may hold it

import torch
from torch.utils.checkpoint import checkpoint

OPTIONS = {"use_reentrant": False} if torch.__version__ >= "1.11" else {}


def forward(block, x, **kwargs):
    y = checkpoint(block, x, **OPTIONS)
    return checkpoint(block, y, **kwargs)


print(forward)
