# the sampler draws many batches, of which each step takes one

import torch
from torch.utils.data import DataLoader, RandomSampler


def fit(model, data, batch_size, steps):
    optimizer = torch.optim.Adam(model.parameters())
    sampler = RandomSampler(data, num_samples=100 * batch_size)
    loader = DataLoader(data, sampler=sampler, batch_size=batch_size)
    for step in range(steps):
        x, y = next(iter(loader))  #! MEM405
        optimizer.zero_grad()
        (model(x) - y).square().mean().backward()
        optimizer.step()
