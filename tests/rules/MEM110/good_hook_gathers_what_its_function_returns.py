# The hook is there for one pass over the data: what it has gathered is joined and returned, and the hook removed.

import torch


def features_of(network, layer, loader):
    features = []

    def keep(module, inputs, output):
        features.append(inputs[0].detach())

    handle = getattr(network, layer).register_forward_hook(keep)
    with torch.no_grad():
        for x, _ in loader:
            network(x.to("cuda"))
    handle.remove()
    return torch.cat(features)
