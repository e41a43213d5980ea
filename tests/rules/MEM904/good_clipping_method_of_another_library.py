# a clipping method of another library

import torch
from accelerate import Accelerator

accelerator = Accelerator()


def clip(model, fabric):
    accelerator.clip_grad_norm_(model.parameters(), 1.0)
    fabric.clip_grad_norm(model.parameters(), 1.0)
    return torch.zeros(1)


launch = clip
print(launch)
