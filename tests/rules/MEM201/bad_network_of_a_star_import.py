# the class comes from a star import: its call makes the network

import torch
from torch.utils.data import DataLoader

from gallery import *

sorter = Classifier(depth=6)
opt = torch.optim.SGD(sorter.parameters(), lr=0.1)
held_out = DataLoader(Pictures("held_out"), 64)


def fit(loader):
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(sorter(x), y).backward()
        opt.step()


def check():
    sorter.eval()
    right = 0
    for x, y in held_out:
        right += (sorter(x).argmax(1) == y).sum().item()  #! MEM201 error
    return right
