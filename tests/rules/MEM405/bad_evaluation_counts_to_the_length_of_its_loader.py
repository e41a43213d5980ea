# evaluation over all data by its length, in which each pass takes the first batch again

import torch
from torch.utils.data import DataLoader


def embed(net, dataset, size):
    loader = DataLoader(dataset, batch_size=size, num_workers=4)
    seen, rows = 0, []
    with torch.no_grad():
        while seen + size <= len(loader.dataset):
            batch, _ = iter(loader).next()  #! MEM405 error
            rows.append(net(batch.cuda()).cpu())
            seen += size
    return rows


def score(net, loader):
    steps = len(loader)
    hits = 0
    with torch.no_grad():
        for _ in range(steps):
            x, y = next(iter(loader))  #! MEM405 warning
            hits += (net(x).argmax(1) == y).sum().item()
    return hits
