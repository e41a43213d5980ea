# Apex has the name, and so may another module of the project

import torch

try:
    from apex import amp
except ImportError:
    from torch.cuda import amp

from training import amp as own


def clip(optimizer):
    torch.nn.utils.clip_grad_norm_(amp.master_params(optimizer), 1.0)
    torch.nn.utils.clip_grad_norm_(own.master_params(optimizer), 1.0)
