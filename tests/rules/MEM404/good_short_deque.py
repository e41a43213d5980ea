# a short deque

import collections

import torch

recent = collections.deque(maxlen=16)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(640, 4)), batch_size=4)
for batch in loader:
    recent.append(batch)
print(len(recent))
