import torch
from collections import defaultdict


def to_cpu(d):
    return {k: v.detach().cpu() for k, v in d.items()}


class Runner:
    def __init__(self, model, losses, opt):
        self.model, self.losses, self.opt = model, losses, opt
        self.logs = defaultdict(list)

    def iteration(self, batch):
        terms = {n: f(self.model(batch["x"]), batch) for n, f in self.losses.items()}
        total = sum(terms.values())
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        return to_cpu({**terms, "total": total})

    def run(self, loader):
        for batch in loader:
            for k, v in self.iteration(batch).items():
                self.logs[k].append(v)
