# an iterable dataset without sharding would deliver its data once per worker

import torch
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __iter__(self):
        with open("log.txt") as lines:
            for line in lines:
                yield torch.tensor([float(v) for v in line.split()])


net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Stream(), batch_size=16):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
