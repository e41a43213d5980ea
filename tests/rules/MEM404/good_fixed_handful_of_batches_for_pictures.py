# a fixed handful of batches for pictures

import itertools

import torch
from torch.utils.data import DataLoader, Subset


def probes(test_loader, dataset):
    few = list(itertools.islice(test_loader, 4))
    kept = []
    for i, batch in enumerate(test_loader):
        if i < 3:
            kept.append(batch)
    for batch in test_loader:
        kept.append(batch)
        if len(kept) > 8:
            break
    return few + kept + list(DataLoader(Subset(dataset, range(16)), batch_size=8))
