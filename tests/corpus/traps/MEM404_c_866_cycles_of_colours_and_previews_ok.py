import itertools
import torch
from torch.utils.data import DataLoader


def names(loader):
    return list(loader.dataset.classes)


def train(net, ds, opt, colors=("r", "g", "b")):
    loader = DataLoader(ds, 32, shuffle=True, num_workers=2, persistent_workers=True)
    colour = itertools.cycle(colors)
    preview = list(itertools.islice(loader, 2))
    lrs = [g["lr"] for g in opt.param_groups]
    for epoch in range(5):
        for i, (x, y) in enumerate(loader):
            opt.zero_grad()
            loss = torch.nn.functional.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
        print(next(colour), epoch, loss.item(), len(preview), lrs, names(loader))
