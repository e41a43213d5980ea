# an iterable data set over a replay buffer gives other samples to each new iterator, and no worker is started

import torch
from torch.utils.data import DataLoader, IterableDataset


class Recorded(IterableDataset):
    def __init__(self, buffer):
        self.buffer = buffer

    def __iter__(self):
        yield from self.buffer.sample()


def fit(policy, buffer, env, steps):
    optimizer = torch.optim.Adam(policy.parameters())
    loader = DataLoader(Recorded(buffer), batch_size=32)
    for _ in range(steps):
        buffer.append(env.step())
        state, gain = next(iter(loader))
        loss = -(policy(state) * gain).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
