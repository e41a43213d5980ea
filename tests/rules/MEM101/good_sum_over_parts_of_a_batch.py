# a function that trains one batch in parts: the sum holds the few parts of one step

from contextlib import nullcontext

import torch
import torch.nn.functional as F


def contexts(count, network):
    for i in range(count):
        with nullcontext() if i == count - 1 else network.no_sync():
            yield i


class Trainer:
    def __init__(self, network, loader, accumulate_every):
        self.network, self.loader, self.accumulate_every = network.cuda(), loader, accumulate_every
        self.optimizer = torch.optim.Adam(network.parameters())

    def train(self):
        total = torch.zeros([], device="cuda")
        self.optimizer.zero_grad()
        for _ in contexts(self.accumulate_every, self.network):
            x, y = next(self.loader)
            loss = F.mse_loss(self.network(x.cuda()), y.cuda())
            loss.backward()
            total += loss
        self.optimizer.step()
        return total.item() / self.accumulate_every


def train_in_chunks(network, optimizer, x, y):
    total = 0
    optimizer.zero_grad()
    for part, target in zip(x.chunk(4), y.chunk(4)):
        loss = F.mse_loss(network(part), target)
        loss.backward()
        total += loss
    optimizer.step()
    return total.item()
