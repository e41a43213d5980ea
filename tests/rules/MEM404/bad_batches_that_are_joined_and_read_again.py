# the list lives on beside the tensor that it was joined to

import torch
from torch.utils.data import DataLoader


def mean_and_steps(net, optimizer, data):
    loader = DataLoader(data, batch_size=256)
    batches = list(loader)  #! MEM404
    mean = torch.cat([x for x, _ in batches]).mean(0)
    for x, y in batches:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x - mean), y).backward()
        optimizer.step()
