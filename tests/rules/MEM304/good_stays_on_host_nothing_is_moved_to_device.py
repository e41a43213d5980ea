# stays on the host: nothing is moved to a device

import numpy as np
import torch

device = torch.device("cpu")
statistics = torch.from_numpy(np.random.rand(10, 10))
print(statistics.mean(), device)
