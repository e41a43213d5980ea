# evaluation under no_grad: outputs have no graph

import torch


def evaluate(model, loader):
    model.eval()
    outs, targets = [], []
    with torch.no_grad():
        for x, y in loader:
            outs.append(model(x).cpu())
            targets.append(y)
    return torch.cat(outs), torch.cat(targets)
