import torch
from torch import nn


class Tracker(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(()))
        self.register_buffer("count", torch.zeros(()))

    @torch.no_grad()
    def update(self, value):
        self.total += value
        self.count += 1

    def compute(self):
        return (self.total / self.count).item()


def epoch(net, opt, data):
    tr = Tracker()
    for x, y in data:
        loss = nn.functional.l1_loss(net(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        tr.update(loss)
    return tr.compute()
