# 3.7 GiB of numbers, of which a step takes 40 KB.

import torch
from torch.utils.data import DataLoader, TensorDataset

features = torch.randn(1_000_000, 1000).pin_memory()  #! MEM409 warning
labels = torch.zeros(1_000_000).long()
loader = DataLoader(TensorDataset(features, labels), batch_size=10)
