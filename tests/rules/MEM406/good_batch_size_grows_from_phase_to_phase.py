# the batch size grows from phase to phase

import torch
from torch.utils.data import DataLoader


def train(net, opt, dataset):
    for phase in range(4):
        loader = DataLoader(dataset, batch_size=16 * 2**phase, num_workers=2)
        for x in loader:
            opt.zero_grad()
            net(x).mean().backward()
            opt.step()
