# all samples are wanted in one tensor: a list of the batches for a moment takes no more than that

import torch
from torch.utils.data import DataLoader


def arrays(data):
    loader = DataLoader(data, batch_size=256)
    batches = list(loader)
    inputs = torch.cat([x for x, _ in batches])
    labels = torch.cat([batch[1] for batch in batches])
    return inputs, labels


def one(data):
    return torch.cat(list(DataLoader(data, batch_size=256))).numpy()


def columns(data):
    loader = DataLoader(data, batch_size=256)
    inputs, labels = zip(*list(loader))
    return torch.cat(inputs), torch.cat(labels)


def gathered(data):
    loader = DataLoader(data, batch_size=256)
    batches = [batch for batch in loader]
    return torch.cat([batch[0] for batch in batches]).cuda()
