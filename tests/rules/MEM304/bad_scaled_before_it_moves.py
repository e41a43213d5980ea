# arithmetic with a number leaves it float64, and a look at it does so as well

import numpy as np
import torch


def distances(size, device):
    grid = torch.from_numpy(np.eye(size))  #! MEM304 warning
    print((grid > 0).sum())
    grid = 1 - grid * 2
    return grid.to(device)
