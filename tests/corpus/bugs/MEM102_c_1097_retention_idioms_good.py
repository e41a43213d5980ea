"""One training step, remembered in a dozen ways."""
import functools
import itertools
import operator
from collections import Counter, defaultdict, namedtuple
from dataclasses import dataclass, field
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader

Record = namedtuple("Record", "step loss acc")


@dataclass
class TrainState:
    step: int = 0
    loss_sum: float = 0.0
    history: list = field(default_factory=list)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 8))

    def forward(self, x, y=None):
        out = self.body(x)
        return out if y is None else (out, F.cross_entropy(out, y))


def plus_equals_list(model, loader, opt):
    losses = []
    for x, y in loader:
        opt.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        opt.step()
        losses += [loss.item()]
    return functools.reduce(operator.add, losses) / len(losses)


def grown_by_cat(model, loader, opt):
    curve = torch.empty(0)
    for x, y in loader:
        opt.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        opt.step()
        curve = torch.cat([curve, loss.detach().view(1)])
    return curve.mean()


def dataclass_state(model, loader, opt):
    state = TrainState()
    for state.step, (x, y) in enumerate(loader):
        opt.zero_grad()
        out, loss = model(x, y)
        loss.backward()
        opt.step()
        state.loss_sum += loss.item()
        state.history.append(Record(state.step, loss.item(), 0.0))
    return state


def namespace_stats(model, loader, opt):
    stats = SimpleNamespace(total=0, n=0, best=float("inf"))
    for x, y in loader:
        opt.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        opt.step()
        stats.total = stats.total + float(loss) * len(x)
        stats.n += len(x)
        stats.best = min(stats.best, loss.item())
    return stats.total / stats.n


def walrus_iterator(model, loader, opt):
    it, log = iter(loader), defaultdict(list)
    while (batch := next(it, None)) is not None:
        x, y = batch
        opt.zero_grad()
        out, loss = model(x, y)
        loss.backward()
        opt.step()
        log["acc"].append((out.argmax(1) == y).float().mean())
        log["loss"].append(loss.detach())
    return log


def as_generator(model, loader, opt):
    for x, y in loader:
        opt.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        opt.step()
        yield loss.item()


def nested_steps(model, loader, opt, scales=(1.0, 0.5)):
    per_scale = {s: 0 for s in scales}

    def one(x, y, s):
        opt.zero_grad()
        _, loss = model(x * s, y)
        loss.backward()
        opt.step()
        return loss

    for (x, y), s in itertools.product(loader, scales):
        per_scale[s] += one(x, y, s).item()
    return per_scale


def matched(model, loader, opt, mode):
    seen = []
    for x, y in loader:
        opt.zero_grad()
        out, loss = model(x, y)
        loss.backward()
        opt.step()
        match mode:
            case "full":
                seen.append({"out": out.detach().cpu(), "loss": loss.item()})
            case "short":
                seen.append(loss.item())
    return seen


def overwritten(model, loader, opt):
    last, counts = {}, Counter()
    for i, (x, y) in enumerate(loader):
        opt.zero_grad()
        out, loss = model(x, y)
        loss.backward()
        opt.step()
        last["loss"] = loss
        last.update(out=out)
        counts.update({"steps": 1})
    return last, counts


def main():
    model = Model()
    opt = torch.optim.SGD(model.parameters(), 0.1)
    loader = DataLoader(torch.load("set.pt"), 64)
    print(plus_equals_list(model, loader, opt), grown_by_cat(model, loader, opt))
    print(dataclass_state(model, loader, opt), namespace_stats(model, loader, opt))
    print(walrus_iterator(model, loader, opt), nested_steps(model, loader, opt))
    curve = list(as_generator(model, loader, opt))
    print(curve, matched(model, loader, opt, "full"), overwritten(model, loader, opt))


main()
