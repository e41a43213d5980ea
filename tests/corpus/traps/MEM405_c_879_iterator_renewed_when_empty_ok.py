"""405: the iterator is renewed on purpose, or only now and then."""
import torch
from torch.utils.data import DataLoader


class Prefetcher:
    def __init__(self, loader):
        self.loader = loader
        self.reset()

    def reset(self):
        self.it = iter(self.loader)
        self.preload()

    def preload(self):
        try:
            self.batch = next(self.it)
        except StopIteration:
            self.batch = None

    def next(self):
        batch = self.batch
        self.preload()
        return batch


def train(net, ds, val, opt, steps):
    pf = Prefetcher(DataLoader(ds, 8, num_workers=2, persistent_workers=True))
    vl = DataLoader(val, 8)
    for step in range(steps):
        batch = pf.next()
        if batch is None:
            pf.reset()
            batch = pf.next()
        opt.zero_grad()
        net(batch).mean().backward()
        opt.step()
        if step % 500 == 0:
            with torch.no_grad():
                print(net(next(iter(vl))).mean())


def meta(net, tasks, opt):
    for epoch in range(10):
        for task in tasks:
            it = iter(task)
            support, query = next(it), next(it)
            opt.zero_grad()
            (net(support).mean() + net(query).mean()).backward()
            opt.step()
