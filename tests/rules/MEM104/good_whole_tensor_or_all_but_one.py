# the whole tensor, or all but one of it

import torch


def tokens(vit, loader):
    kept = []
    with torch.no_grad():
        for x in loader:
            hidden = vit(x).detach()
            kept.append(hidden[:])
            kept.append(hidden[:, 1:])
            kept.append(hidden.squeeze(1))
            kept.append(hidden.float().t())
    return kept
