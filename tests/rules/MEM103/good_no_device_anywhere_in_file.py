# no device anywhere in the file

import torch


def outputs_of(model, loader):
    model.eval()
    outs = []
    with torch.no_grad():
        for x, _ in loader:
            outs.append(model(x))
    return torch.cat(outs)
