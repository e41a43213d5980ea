# one batch shows that the loader works, then a profile takes as many as its default says

from itertools import cycle

import torch.nn.functional as F
from torch.utils.data import DataLoader


def profile(model, dataset, optimizer, warmup=3, steps=10):
    loader = DataLoader(dataset, batch_size=64, shuffle=True)
    batches = cycle(loader)
    first = next(batches)
    print(first[0].shape)
    batches = cycle(loader)
    for _ in range(warmup):
        x, y = next(batches)
        F.cross_entropy(model(x), y).backward()
    for _ in range(steps):
        x, y = next(batches)
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
