# The cache is emptied between trials of batch sizes, of which the next is larger.

import time
import torch
from torch.utils.data import DataLoader


def find_batch_size(attempt, size=2):
    while size < 4096:
        try:
            attempt(size)
        except torch.cuda.OutOfMemoryError:
            return size // 2
        size *= 2
    return size


def prepare(model, data, criterion):
    def attempt(size):
        trial = DataLoader(data, batch_size=size, shuffle=True, num_workers=2)
        x, y = next(iter(trial))
        criterion(model(x.cuda()), y.cuda()).backward()
        torch.cuda.empty_cache()

    return find_batch_size(attempt)
