# the first batch is only tried, the steps after it take many epochs

from itertools import cycle

import torch.nn.functional as F
from torch.utils.data import DataLoader


def train(model, dataset, optimizer, steps=50_000):
    loader = DataLoader(dataset, batch_size=64, shuffle=True)
    batches = cycle(loader)  #! MEM404 error
    x, y = next(batches)
    print(x.shape)
    for _ in range(steps):
        x, y = next(batches)
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
