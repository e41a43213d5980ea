# one element: a loss accumulator

import numpy as np
import torch

total = torch.zeros(1, dtype=torch.float64, device="cuda")
weight = torch.tensor(np.random.uniform(), device="cuda")
for x in torch.randn(10, 4, device="cuda"):
    total += (weight * x).double().sum()
print(total)
