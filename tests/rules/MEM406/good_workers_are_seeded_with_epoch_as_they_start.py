# workers are seeded with the epoch as they start

import numpy
import torch
from torch.utils.data import DataLoader

state = {"epoch": 0}


def seed(worker):
    numpy.random.seed(1000 * state["epoch"] + worker)


loader = DataLoader(torch.randn(1000, 8), batch_size=64, num_workers=2, worker_init_fn=seed)
net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(10):
    state["epoch"] = epoch
    for x in loader:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
