"""404: caches that are meant and small, loaders that are no DataLoaders."""
import itertools
import torch
from torch.utils.data import DataLoader, TensorDataset


class Loader:
    def __iter__(self):
        yield 1


def main(net, opt):
    gpus = itertools.cycle(range(4))
    names = itertools.cycle(["a", "b"])
    own = Loader()
    both = itertools.tee(own)
    lr = itertools.cycle([0.1, 0.01])
    dl = DataLoader(TensorDataset(torch.randn(64, 3)), batch_size=8)
    first = list(itertools.islice(dl, 1))
    n = len(list(range(len(dl))))
    losses = []
    for (x,) in dl:
        opt.zero_grad()
        loss = net(x).mean()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return next(gpus), next(names), both, next(lr), first, n
