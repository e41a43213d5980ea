# The batch was moved, so what is made on its device lies on the GPU as well.

import torch
from torch.utils.data import DataLoader


def masks(dataset, length):
    kept = []
    for batch in DataLoader(dataset, batch_size=64):
        x = batch["x"].cuda()
        steps = torch.arange(length, device=x.device)
        kept.append(steps[None] * x)  #! MEM103 warning
    return torch.cat(kept).cpu()
