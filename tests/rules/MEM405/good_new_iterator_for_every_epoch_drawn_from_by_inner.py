# a new iterator for every epoch, drawn from by an inner loop

import torch
from torch.utils.data import DataLoader


def fit(net, opt, dataset, epochs, steps):
    loader = DataLoader(dataset, batch_size=8, num_workers=2, shuffle=True)
    for epoch in range(epochs):
        batches = iter(loader)
        for _ in range(steps):
            x = next(batches)
            opt.zero_grad()
            net(x).mean().backward()
            opt.step()
