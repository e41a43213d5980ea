# one batch to look at, a few random ones, and a loop over the length of other data

import torch


def probe(net, loader, val_loader):
    with torch.no_grad():
        for _ in range(20):
            x, y = next(iter(val_loader))
            print(net(x).mean())
        for i in range(len(loader)):
            if i % 100 == 0:
                x, y = next(iter(loader))
                print(net(x).mean())
        for i in range(len(loader)):
            x, y = next(iter(val_loader))
            print(i, net(x).mean())
