import itertools
import random

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import CelebA


def statistics(root):
    loader = DataLoader(CelebA(root, download=False), batch_size=256, num_workers=8)
    s = q = 0
    for x, _ in loader:
        s, q = s + x.mean((0, 2, 3)), q + (x ** 2).mean((0, 2, 3))
    ids = [i for i, _ in enumerate(loader)]
    few = list(itertools.islice(loader, 4))
    names = itertools.cycle(["r", "g", "b"])
    return s / len(loader), q / len(loader), ids, few, next(names)


class Reservoir:
    def __init__(self, size):
        self.size, self.items, self.n = size, [], 0

    def add(self, x):
        self.n += 1
        if len(self.items) < self.size:
            self.items.append(x)
        elif (j := random.randrange(self.n)) < self.size:
            self.items[j] = x


def learn(root, net):
    loader = DataLoader(CelebA(root), batch_size=32, num_workers=4)
    keep = Reservoir(16)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for x, y in loader:
        keep.add((x, y))
        for x_, y_ in keep.items:
            opt.zero_grad()
            torch.nn.functional.binary_cross_entropy_with_logits(net(x_), y_.float()).backward()
            opt.step()
