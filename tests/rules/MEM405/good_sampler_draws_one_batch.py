# the sampler draws one batch with replacement: a pass over the loader is one batch

import torch
from torch.utils.data import DataLoader, RandomSampler


class Trainer:
    def __init__(self, model, data, batch_size):
        self.model, self.data = model, data
        self.optimizer = torch.optim.Adam(model.parameters())
        sampler = RandomSampler(data, replacement=True, num_samples=batch_size)
        self.loader = DataLoader(data, sampler=sampler, batch_size=batch_size, drop_last=True)

    def fit(self, steps):
        for step in range(steps):
            x, y = next(iter(self.loader))
            self.optimizer.zero_grad()
            (self.model(x) - y).square().mean().backward()
            self.optimizer.step()
