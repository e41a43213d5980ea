# a random batch in every step: nothing is started for it, but an epoch comes to no end

import torch
from torch.utils.data import DataLoader, RandomSampler


def train(net, optimizer, data, steps):
    loader = DataLoader(data, batch_size=8, shuffle=True)
    for _ in range(steps):
        x, y = next(iter(loader))  #! MEM405 warning
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


def train_with_sampler(net, optimizer, data, steps):
    loader = DataLoader(data, batch_size=8, sampler=RandomSampler(data), num_workers=0)
    for _ in range(steps):
        x, y = next(iter(loader))  #! MEM405 warning
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


def train_on_one_batch(net, optimizer, data, steps):
    loader = DataLoader(data, batch_size=8)
    for _ in range(steps):
        x, y = next(iter(loader))  #! MEM405 error
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
