# once for each of several loaders: an iteration goes through a whole data set

import torch
from torch.utils.data import DataLoader


def measured(net, loader):
    net.eval()
    total = 0
    with torch.no_grad():
        for x, y in loader:
            total += (net(x.cuda()).argmax(1).cpu() == y).sum().item()
    return total


def table(net, all_data_loaders):
    rows = {}
    for name in sorted(all_data_loaders):
        loader = all_data_loaders[name]
        rows[name] = measured(net, loader)
        del loader
        torch.cuda.empty_cache()
    return rows


def by_pairs(net, test_loaders):
    rows = {}
    for name, test_loader in test_loaders.items():
        with torch.no_grad():
            for x, _ in test_loader:
                rows.setdefault(name, []).append(net(x.cuda()).argmax(1).cpu())
        torch.cuda.empty_cache()
    return rows
