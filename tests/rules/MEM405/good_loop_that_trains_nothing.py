# a loop that trains nothing

import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(64, 4)), batch_size=8, shuffle=True)
net = torch.nn.Linear(4, 1).eval()
with torch.no_grad():
    for figure in range(3):
        (x,) = next(iter(loader))
        print(net(x).mean().item())
