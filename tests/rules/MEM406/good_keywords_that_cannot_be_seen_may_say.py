# keywords that cannot be seen may say so

import torch
from torch.utils.data import DataLoader


def fit(net, opt, dataset, loader_options):
    loader = DataLoader(dataset, num_workers=4, **loader_options)
    for epoch in range(10):
        for x in loader:
            opt.zero_grad()
            net(x).mean().backward()
            opt.step()
