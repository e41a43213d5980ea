import torch
from torch import nn


class Prefetcher:
    def __init__(self, loader):
        self.loader, self.stream = iter(loader), torch.cuda.Stream()
        self.preload()

    def preload(self):
        try:
            self.nxt = next(self.loader)
        except StopIteration:
            self.nxt = None

    def next(self):
        batch = self.nxt
        self.preload()
        return batch


def fill(batch, source, i):
    batch["x"].copy_(source[i])


def train(model: nn.Module, loader, cfg):
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    pre = Prefetcher(loader)
    data = pre.next()
    for i in range(len(loader)):
        loss = model(data).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        data = pre.next()

    batch = {"x": torch.empty(8, 3)}
    for i in range(len(loader.dataset)):
        fill(batch, loader.dataset, i)
        out = model(batch["x"])
        opt.zero_grad()
        out.sum().backward()
        opt.step()

    for step in range(len(loader)):
        noise = torch.randn(8, 3)
        opt.zero_grad()
        model(noise).pow(2).mean().backward()
        opt.step()
