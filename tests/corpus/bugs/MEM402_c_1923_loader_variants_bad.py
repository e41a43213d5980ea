"""Rarely written forms: monai-like cache, sorted loaders, iterators in generators, drawn in comprehension."""
import itertools
import pickle

import torch
from more_itertools import cycle as forever
from torch.utils.data import DataLoader, Dataset
from torchvision.datasets import ImageFolder
from torchvision.transforms import ToTensor


class Objects(Dataset):
    def __init__(self, p):
        super().__init__()
        self._load(p)

    def _load(self, p):
        self.entries = {}  #! MEM402
        with open(p, "rb") as f:
            for key, value in pickle.load(f).items():
                self.entries[key] = value
        self.order = list(self.entries)

    def __getitem__(self, i):
        e = self.entries[self.order[i]]
        return torch.tensor(e["x"]), e["y"]

    def __len__(self):
        return len(self.order)


def step(net, opt, x):
    opt.zero_grad()
    net(x.cuda()).mean().backward()
    opt.step()


def main(net):
    opt = torch.optim.SGD(net.parameters(), 0.1)
    a = DataLoader(ImageFolder("a", ToTensor()), 8, num_workers=4, pin_memory=True, persistent_workers=True)
    b = DataLoader(Objects("o.pkl"), 8, num_workers=4, pin_memory=True, persistent_workers=True)  #? MEM402
    endless = itertools.chain.from_iterable(itertools.repeat(a))
    for x, _ in itertools.islice(endless, 1000):
        step(net, opt, x)
    for (x, _), (z, _) in zip(a, itertools.cycle(iter(b))):  #! MEM404
        step(net, opt, x + z.mean())
    for epoch in range(10):
        for x, _ in a:
            pair = next(iter(b))[0]  #! MEM405
            step(net, opt, x + pair.mean())
    names = itertools.cycle("abc")
    again = forever(b)  #! MEM404
    for _ in range(50_000):
        print(next(names), next(again)[0].shape)
