# a generator of the file that is called cycle and restarts the loader

import torch
from torch.utils.data import DataLoader, TensorDataset


def cycle(dl):
    while True:
        yield from dl


loader = DataLoader(TensorDataset(torch.randn(100, 3)), batch_size=10, shuffle=True)
it = cycle(loader)
net = torch.nn.Linear(3, 1)
for step in range(50):
    (x,) = next(it)
    print(net(x).mean().item())
