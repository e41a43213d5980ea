# `type_as` and `to` give the random numbers the dtype of the data

import numpy as np
import torch


def mix(x, n):
    device = x.device
    weights = torch.from_numpy(np.random.beta(0.05, 0.05, (n,))).type_as(x).to(device)
    others = torch.from_numpy(np.random.rand(n)).to(x).cuda()
    return x[:n] * weights[:, None] + others[:, None]
