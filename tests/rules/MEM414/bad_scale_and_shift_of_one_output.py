# two copies that change one output, one after the other, are one finding

import torch


def restore(out, mean, scale, steps):
    out = out * scale[:, 0, :].unsqueeze(1).repeat(1, steps, 1)  #! MEM414 warning
    out = out + mean[:, 0, :].unsqueeze(1).repeat(1, steps, 1)
    return torch.relu(out)
