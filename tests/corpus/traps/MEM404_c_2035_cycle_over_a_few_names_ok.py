# cycle() turns over the names of tasks, and the loaders are restarted by a generator of the script's own.
import itertools

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def forever(loader):
    while True:
        yield from loader


tasks = {name: forever(DataLoader(TensorDataset(torch.randn(256, 8)), batch_size=32, shuffle=True)) for name in "abc"}
trunk, heads = nn.Linear(8, 16), nn.ModuleDict({name: nn.Linear(16, 1) for name in tasks})
opt = torch.optim.SGD([*trunk.parameters(), *heads.parameters()], lr=0.01)
turn = itertools.cycle(tasks)
for step in range(300):
    name = next(turn)
    (x,) = next(tasks[name])
    loss = heads[name](trunk(x).relu()).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
