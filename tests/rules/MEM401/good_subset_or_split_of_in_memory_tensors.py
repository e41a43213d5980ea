# a subset or split of in-memory tensors

import torch
from torch.utils.data import DataLoader, Subset, TensorDataset, random_split

full = TensorDataset(torch.randn(1000, 8), torch.randn(1000, 1))
train_set, test_set = random_split(full, [800, 200])
net = torch.nn.Linear(8, 1)
opt = torch.optim.Adam(net.parameters())
for loader in (DataLoader(train_set, batch_size=32), DataLoader(Subset(full, range(64)), batch_size=32)):
    for x, y in loader:
        opt.zero_grad()
        (net(x) - y).pow(2).mean().backward()
        opt.step()
