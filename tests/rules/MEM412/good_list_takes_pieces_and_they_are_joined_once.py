# a list takes the pieces, and they are joined once

import torch


def embed(model, loader):
    model.cuda().eval()
    feats = []
    with torch.no_grad():
        for x, _ in loader:
            feats.append(model(x.cuda()))
    return torch.cat(feats)
