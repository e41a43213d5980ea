# a list of its own for every batch

import torch


def features(model, layer, loader):
    means = []
    for x in loader:
        grabbed = []
        handle = layer.register_forward_hook(lambda m, i, o: grabbed.append(o))
        with torch.no_grad():
            model(x)
        handle.remove()
        means.append(grabbed[0].mean().item())
    return means
