# cross-validation: each fold has its own loader

import torch
from torch.utils.data import DataLoader, Subset

data = torch.randn(300, 4)
for fold in range(3):
    keep = [i for i in range(300) if i % 3 != fold]
    loader = DataLoader(Subset(data, keep), 30, num_workers=2, persistent_workers=True)
    net = torch.nn.Linear(4, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(5):
        for x in loader:
            opt.zero_grad()
            net(x).mean().backward()
            opt.step()
    held_out = DataLoader(Subset(data, range(fold, 300, 3)), 30, num_workers=2)
    with torch.no_grad():
        for x in held_out:
            print(fold, net(x).sum().item())
