# keyword arguments whose content is unknown

import torch
from torch.utils.data import DataLoader


def train(dataset, net, opt, **loader_kwargs):
    for x in DataLoader(dataset, batch_size=4, **loader_kwargs):
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
