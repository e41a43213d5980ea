# integer arrays

import numpy as np
import torch

labels = np.array([0, 1, 1, 0])
order = np.arange(100)
picked = np.random.randint(0, 10, size=64)
print(torch.from_numpy(labels).to("cuda"), torch.tensor(order).cuda(), torch.from_numpy(picked).cuda())
