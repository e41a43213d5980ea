# The collate function makes batches, and the list keeps all of them.

import torch
from torch.utils.data import DataLoader


def _stacked(items):
    return torch.stack(items)


def read(data):
    loader = DataLoader(data, batch_size=64, num_workers=2, collate_fn=_stacked)
    for batch in loader:
        yield batch  #! MEM404


def fit(net, optimizer, data):
    batches = list(read(data))
    for epoch in range(10):
        for batch in batches:
            optimizer.zero_grad()
            net(batch.cuda()).mean().backward()
            optimizer.step()
