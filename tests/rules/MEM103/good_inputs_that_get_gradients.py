# the leaves are read for their gradients later: copies on the host would get none

import torch


def saliency(model, loader, criterion):
    kept = []
    for x, y in loader:
        x = x.to("cuda")
        x.requires_grad = True
        kept.append(x)
        criterion(model(x), y.to("cuda")).backward()
    return torch.cat([x.grad for x in kept]).cpu()
