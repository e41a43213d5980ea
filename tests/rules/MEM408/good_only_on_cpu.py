# there is no GPU in this script

import numpy as np
import torch
from torch.utils.data import TensorDataset

X = torch.from_numpy(np.load("features.npy")).to("cpu")
data = TensorDataset(X)
