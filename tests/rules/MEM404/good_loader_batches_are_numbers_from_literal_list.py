# the loader's batches are numbers from a literal list

import torch
from torch.utils.data import DataLoader

order = list(DataLoader([3, 1, 4, 1, 5, 9, 2, 6], batch_size=2, shuffle=True))
indices = [b for b in DataLoader(range(10), batch_size=5)]
print(order, indices)
