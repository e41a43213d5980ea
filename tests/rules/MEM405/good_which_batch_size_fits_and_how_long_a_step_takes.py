# Each trial wants one batch of another size, and the timer one step.

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


class Clock:
    def __init__(self, model, optimizer, criterion, loader: DataLoader):
        self.model, self.optimizer, self.criterion, self.loader = model, optimizer, criterion, loader

    def time_training_step(self):
        begin = time.time()
        x, y = next(iter(self.loader))
        self.optimizer.zero_grad()
        self.criterion(self.model(x.cuda()), y.cuda()).backward()
        self.optimizer.step()
        return time.time() - begin

    def run(self, times):
        for _ in range(times):
            print(self.time_training_step())
