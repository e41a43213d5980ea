import copy
import torch
from torch import nn


class EMA:
    def __init__(self, model, decay=0.999):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for e, p in zip(self.module.state_dict().values(), model.state_dict().values()):
            if e.dtype.is_floating_point:
                e.mul_(self.decay).add_(p, alpha=1 - self.decay)


def train(model, loader, val, epochs):
    ema = EMA(model)
    opt = torch.optim.SGD(model.parameters(), 0.1)
    for ep in range(epochs):
        model.train()
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            ema.update(model)
        hits = 0
        for x, y in val:
            hits += (ema.module(x).argmax(1) == y).sum().item()
        print(ep, hits)
