import os

import torch
import torch.utils.checkpoint
from functools import partial
from torch.utils.checkpoint import checkpoint as ckpt

ckpt = partial(ckpt, use_reentrant=False)


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.f = torch.nn.Linear(2, 2)

    def forward(self, x):
        return ckpt(self.f, x)

    def forward2(self, x):
        kw = {"use_reentrant": False}
        return torch.utils.checkpoint.checkpoint(self.f, x, **kw)


def clip_grad_norm(ps, m):
    return torch.nn.utils.clip_grad_norm_(ps, m)


clip_grad_norm(Block().parameters(), 1.0)
os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
env = dict(os.environ, CUDA_VISIBLE_DEVICES="0")
print(torch.cuda.memory_summary(), env)
