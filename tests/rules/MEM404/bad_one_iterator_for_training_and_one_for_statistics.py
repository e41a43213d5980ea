# one iterator for training and one for statistics

import itertools

import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.utils.data.TensorDataset(torch.randn(10000, 64)), batch_size=100)
first, second = itertools.tee(loader)  #! MEM404 error
mean = sum(x.mean(0) for (x,) in first) / len(loader)
for (x,) in second:
    print((x - mean).std().item())
