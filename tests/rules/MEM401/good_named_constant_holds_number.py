# a named constant holds the number

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder

NUM_WORKERS = 4
CONFIG = {"num_workers": 8}
net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for loader in (
    DataLoader(ImageFolder("train"), num_workers=NUM_WORKERS),
    DataLoader(ImageFolder("train"), num_workers=CONFIG["num_workers"]),
):
    for x, y in loader:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
