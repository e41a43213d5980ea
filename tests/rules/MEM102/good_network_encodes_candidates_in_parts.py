# a method of a network computes in parts what it goes on with: its callers decide on the grad mode

import torch
from torch import nn


class Retrieval(nn.Module):
    def __init__(self, batch_size):
        super().__init__()
        self.encoder = nn.Linear(8, 8)
        self.head = nn.Linear(8, 1)
        self.batch_size = batch_size

    def validate_with_candidates(self, x, candidates):
        keys = torch.cat([self.encoder(part) for part in iter_batches(candidates, self.batch_size)])
        weights = torch.softmax(self.encoder(x) @ keys.T, -1)
        return self.head(weights @ keys)


def iter_batches(x, size):
    yield from x.split(size)
