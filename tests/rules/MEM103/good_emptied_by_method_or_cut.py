# a method that each store calls empties the container, or only its last entries are kept

import torch
from torch import nn


class Collector:
    def __init__(self, net: nn.Module, size: int):
        self.net, self.size, self.rows = net, size, []

    @torch.no_grad()
    def add(self, batch):
        self.rows.append(self.net(batch.cuda()))
        if len(self.rows) >= self.size:
            self.flush()

    def flush(self):
        torch.save(torch.cat(self.rows).cpu(), "rows.pt")
        self.rows = []

    @torch.no_grad()
    def walk(self, loader):
        for batch in loader:
            self.rows.append(self.net(batch.cuda()))
            self.flush()


def collect(net, loader, size):
    collector = Collector(net, size)
    for batch in loader:
        collector.add(batch)


@torch.no_grad()
def smoothed(net, loader):
    outputs = []
    for batch in loader:
        outputs.append(net(batch.cuda()))
        outputs = outputs[-5:]
    return torch.stack(outputs).mean(0)
