# optimizers that step one after the other, each of whose networks is cleared in some way

import torch
import torch.nn as nn
import torch.nn.functional as F
from nets import Body, Head


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 8)
        self.decoder = nn.Linear(8, 2)

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Registered(nn.Module):
    def __init__(self, parts):
        super().__init__()
        for name, part in parts.items():
            setattr(self, name, part)


class Clears(nn.Module):
    def __init__(self, other):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.others = [weight for weight in other.parameters()]

    def zero_grad(self, set_to_none=True):
        super().zero_grad(set_to_none)
        for weight in self.others:
            weight.grad = None


def whole(loader):
    pair = Pair()
    first = torch.optim.SGD(pair.encoder.parameters(), lr=0.1)
    second = torch.optim.SGD(pair.decoder.parameters(), lr=0.1)
    for x, y in loader:
        pair.zero_grad()
        F.cross_entropy(pair(x), y).backward()
        first.step()
        second.step()


def one_after_the_other(loader):
    body, head = Body(), Head()
    first = torch.optim.SGD(body.parameters(), lr=0.1)
    second = torch.optim.SGD(head.parameters(), lr=0.1)
    for x, y in loader:
        F.cross_entropy(head(body(x)), y).backward()
        first.step()
        second.step()
        first.zero_grad()
        second.zero_grad()


def registered(loader):
    body, head = Body(), Head()
    both = Registered({"body": body, "head": head})
    first = torch.optim.SGD(body.parameters(), lr=0.1)
    second = torch.optim.SGD(head.parameters(), lr=0.1)
    for x, y in loader:
        both.zero_grad()
        F.cross_entropy(head(body(x)), y).backward()
        first.step()
        second.step()


def clears_more(loader):
    head = Head()
    body = Clears(head)
    first = torch.optim.SGD(body.parameters(), lr=0.1)
    second = torch.optim.SGD(head.parameters(), lr=0.1)
    for x, y in loader:
        body.zero_grad()
        F.cross_entropy(head(body.layer(x)), y).backward()
        first.step()
        second.step()
